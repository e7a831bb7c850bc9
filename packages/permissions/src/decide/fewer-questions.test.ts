import { afterAll, describe, expect, test } from 'vitest'
import { rulesOf, type RuleTexts } from '../../test/rules.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import type { Verdict } from '../rule/rule.ts'
import { decide } from './decide.ts'
import type { FileSystemView } from './file-system.ts'

const workspace = makeWorkspace()
const { cwd } = workspace
for (const path of [
  ...[
    '.env',
    'secrets/key',
    'secrets/a.ts',
    'notes.txt',
    'list.txt',
    'src/a.ts',
    'src/b.ts',
    'Makefile',
  ],
  ...[
    'packages/api/Makefile',
    'packages/api/package.json',
    'own/.git/config',
    'own/Makefile',
    'bare/HEAD',
  ],
  ...[
    'bare/Makefile',
    'untracked/Makefile',
    'docs/x y.md',
    "docs/it's.md",
    'docs/-n',
    'out/old.txt',
  ],
  ...[
    'linked/a.ts',
    'twins/a.ts',
    'tools/.bin/x',
    'evil/package.json',
    'many/a/.env',
    'copies/b.txt',
  ],
])
  workspace.write(path)
workspace.write('empty/x')
workspace.write(`${workspace.home}/.ssh/id`)
workspace.link('linked/out.ts', workspace.home)
workspace.link('away', 'own')
workspace.link('copies/link', '../.env')
workspace.hardLink('twins/b.ts', '.env')
afterAll(() => workspace.remove())

const tracked = ['Makefile', 'src/a.ts', 'packages/api/Makefile']
const fileSystem: FileSystemView = {
  ...nodeFileSystem({ cwd, home: workspace.home }),
  repository: () => ({ root: cwd, files: tracked, repositories: [] }),
}
const SECRETS = ['Read(.env)', 'Read(./secrets/**)']
const bash = (names: string): string[] => names.split(' ').map((name) => `Bash(${name}:*)`)

const decideOn = (command: string, rules: RuleTexts, view = fileSystem) =>
  decide({ name: 'Bash', args: { command } }, { rules: rulesOf(rules, cwd) }, view)

const verdictOf = async (command: string, rules: RuleTexts, view?: FileSystemView) =>
  (await decideOn(command, rules, view)).verdict

interface Class {
  readonly allow: readonly string[]
  readonly deny?: readonly string[]
  readonly plain: readonly string[]
  /** Attacks on the properties that make the plain commands safe. */
  readonly asks: readonly string[]
}

const classes: Readonly<Record<string, Class>> = {
  'patterns of file names': {
    allow: bash('cat wc ls rm grep printf sh'),
    deny: SECRETS,
    plain: [
      'cat src/*.ts',
      'wc -l *.txt',
      'cat src/[ab].ts',
      "printf '%s' *.txt",
      'grep -rn x --include=*.ts src',
      'rm src/*.ts',
      'cat src/?.ts "src"/*.ts',
    ],
    asks: [
      'cat .e*',
      'cat .*',
      'cat secrets/*',
      'cat *',
      'cd docs && cat *',
      'cd docs && wc -*',
      'cat ../*',
      'cat /*',
      'cat ~/*',
      'cat linked/*',
      'cat `echo src/*.ts`',
      'sh -c "cat *"',
      'src/*',
      'cat src/*.ts > *.txt',
      'cat !(x)',
      'cat */*',
      'cat twins/*',
    ],
  },
  'sizes of files': {
    allow: bash('du sort head'),
    deny: SECRETS,
    plain: [
      ...['du -sh *', 'du -sh * | sort -h', 'du -s secrets', 'du -sh .env src', 'du --summarize *'],
      ...['du -sh', 'du -sh .', 'du -csh src docs | sort -rh | head', 'du -sh linked/out.ts'],
    ],
    asks: [
      ...['du *', 'du secrets', 'du -ah secrets', 'du .env', 'du -shL *', 'du -sH linked/out.ts'],
      ...['du -s ..', 'du -s /etc', 'du -s ../x', 'du -s linked/out.ts/', 'du -s secrets/key'],
      ...['du -X .env -s *', 'du -d s secrets', 'du -s linked/out.ts/.ssh'],
    ],
  },
  'loops over known words': {
    allow: [...bash('cat echo ls wc npm make'), 'Bash(cd:*)'],
    deny: SECRETS,
    plain: [
      'for f in src/*.ts; do cat "$f"; done',
      'for f in a b; do wc -l $f; done',
      'for i in {1..3}; do echo $i; done',
    ],
    asks: [
      'for f in src/*.ts .env; do cat "$f"; done',
      'for f in *; do cat "$f"; done',
      'for f in a; do f=.env; cat "$f"; done',
      'for f in "a /etc"; do cat $f; done',
      'for d in own; do (cd $d && make); done',
      'for PATH in x; do ls; done',
      'for f in $(ls); do cat $f; done',
      'for f in a; do for f in .env; do cat $f; done; done',
      'for f in a; do read f; cat $f; done',
      'for f in a; do for f in .env; do ls; done; cat $f; done',
      'for f in a; do for f in b; do ls; done; cat $f; done',
    ],
  },
  'variables of the text': {
    allow: bash('echo printf cat ls git env node date'),
    plain: [
      'x=$(git rev-parse HEAD); echo "$x"',
      'while read -r line; do echo "$line"; done < notes.txt',
      'while IFS= read -r f; do echo "$f"; done',
      'export CI=1 && ls',
      'BRANCH=$(git branch); echo "$BRANCH"',
      'x=a/b-1.2; echo $x',
      'x="a b"; echo $x "$x"',
      'echo $HOME $PATH "$PWD"',
      'echo "$(git branch)"',
      'echo $(git log -1 --format=%h) on $(git branch --show-current) at $(date +%F)',
      'x=$(git rev-parse --short HEAD); y="v-$x"; echo $x $y',
      'printf "%s\\n" "$(git branch)"',
      'read -r x; printf -- "%s %d\\n" "$x" "$x"',
      'for i in $(git branch); do echo "$i" $i; done',
      'for f in src/*.ts; do echo "${f%.ts}" ${#f}; done',
      'echo "${PWD##*/}"',
      'cat <<E\n$HOME $(git branch)\nE',
      'x=$(date); cat <<E\n${x%:*}\nE',
      // Text outside quotes is split but never expanded to the names of files.
      'while IFS= read -r f; do echo $f; done',
      'BRANCH=$(git branch); echo $BRANCH',
      'x="/etc/*"; echo $x',
      'x=a; for i in 1 2; do echo $x; x=$(ls); done',
      'x=$(ls); for f in $x; do echo a; done',
      'echo $(git branch)',
      'echo `git branch`',
      'echo $PWD',
      'echo $(date "+/etc/*")',
      'echo $(git rev-parse --show-toplevel)',
      'echo $(git log --format=%h -p)',
      'x="/e*$(date)"; echo $x',
      'x=a; y=$x; x=$(cat f); y=$x; echo $y',
    ],
    asks: [
      'x=$(ls); cat $x',
      'for f in $(ls); do cat "$f"; done',
      'for f in src/*.ts; do cat "${f%.ts}"; done',
      'echo "${SECRET%x}"',
      'echo "${#SECRET}"',
      'echo "${PWD%$(id)}"',
      'cat <<E\n$SECRET\nE',
      'cat <<E\n$((x))\nE',
      'sh <<E\n$HOME\nE',
      'x=/; ls $x',
      'x=$SECRET; echo $x',
      'echo $x',
      'PATH=x; ls',
      'IFS=x; ls',
      'read PATH',
      'IFS=x read -a y',
      "read 'x[$(id)]'",
      'x=ls; $x',
      'x[0]=1; echo $x',
      'export PATH=x',
      'export',
      'export "NODE_OPTIONS=-r x"',
      'http_proxy=x; ls',
      'npm_config_x=1; ls',
      'x=1 node a.js',
      'ls $(echo /)',
      'read x; ls $x',
      'x="a[$(id)]"; echo $((x))',
      // A pattern next to unknown text may list any folder.
      'x=/etc; echo $x/*',
      'x=/etc; echo "$x"/*',
      'for x in /etc; do echo "$x"/*; done',
      'echo $HOME/*',
      'cat $HOME/a',
      'x=$(git rev-parse HEAD)/*; echo $x',
      'read -r x; printf "$x" a',
      'read -r x; printf -v "$x" a',
      'read -r x; printf "%n" "$x"',
      'read -r x; printf "%s" $x',
    ],
  },
  'whole folders': {
    allow: bash('grep rg eslint find git wc'),
    deny: SECRETS,
    plain: [
      'grep -rn foo src',
      'grep -rn foo --include="*.md" .',
      'rg foo src',
      'rg --files',
      "rg -g '*.md' foo",
      'eslint src',
      'git grep foo -- src',
      'git log --oneline -5 -- src',
      'git log --stat src',
      'git diff --stat main -- src',
      'git add src && git commit -m x',
      'rm -rf gone',
    ],
    asks: [
      'grep -rn foo .',
      'grep -rn foo many',
      'grep -rn foo linked',
      'grep -rn foo twins',
      'rg foo',
      'grep -rn foo --include="*" .',
      'grep -rn --exclude=x --include="*.md" foo .',
      'grep -rn foo --include="*.ts" .',
      'eslint .',
      'git log -p -- src',
      'git log --oneline -- .env',
      'git show -- src',
      'git add .env',
      'git add secrets',
      'git diff HEAD~1 -- src',
      'git grep foo HEAD -- src',
      'git grep --cached foo -- src',
      'git grep foo missing',
      "rg -g '*.md' -g '*' foo",
      "rg --iglob x -g '*.md' foo",
      'rm -rf many',
    ],
  },
  'names that find prints': {
    allow: [...bash('find grep wc cat sh awk'), ...['Bash(xargs grep:*)', 'Bash(xargs wc:*)']],
    deny: SECRETS,
    plain: [
      'find src -name "*.ts" -exec wc -l {} \\;',
      'find src -exec grep -l x {} +',
      'find src -type f -print0 | xargs -0 grep x',
      'find src | xargs -I{} grep x {}',
      "find src -name '*.ts' -not -path './node_modules/*' | xargs wc",
      'find . -maxdepth 1 -name "*.txt" -exec cat {} +',
    ],
    asks: [
      'find . -exec cat {} +',
      'find src -delete -exec wc -l {} +',
      'find src -exec wc -l {} + -delete',
      'find src -fprint x -exec wc -l {} +',
      'find -L src -exec wc -l {} +',
      'find src -exec sh {} \\;',
      'find src -exec awk {} \\;',
      'find src -execdir cat {} \\;',
      'find src -exec {} \\;',
      'find src -exec cat {}.env \\;',
      "find . -name 'sec*' -exec grep -r x {} +",
      "find . -name 'sec*' | xargs grep -r x",
      "find . -not -name '*.md' | xargs wc",
      "find . -name a -o -name '*' | xargs wc",
      'find src -exec cat .env \\;',
      'find src -exec wc {} \\; -exec sh -c x \\;',
      'find src | xargs -a .env wc',
      'find src | xargs -I{} sh {}',
      "find . ! -name '*.md' -exec cat {} +",
    ],
  },
  'folders of the same repository': {
    allow: [...bash('git make npm pushd popd cd'), 'Bash(cargo:*)'],
    plain: [
      'cd packages/api && git status',
      'git -C packages/api log -1',
      'make -C . test',
      'npm --workspace packages/api test',
      'cargo +nightly fmt',
      'pushd src && git status; popd; git log',
      'git -C . status',
    ],
    asks: [
      'cd own && git status',
      'git -C own status',
      'make -C own',
      'cd bare && git status',
      'make -C untracked',
      'cd untracked && npm test',
      'git -C packages/api -C ../../own status',
      'cd away && make',
      'make -C gone',
      'git -C packages/api --git-dir=../../own/.git status',
      'make -C packages/api -f x',
      'git -C "$x" status',
      'cargo +custom fmt',
      'cargo +/tmp/x fmt',
      'pushd own && git status',
      'popd; git status',
      'pushd own; popd; pushd +1; make',
      'make -Cown',
      'make -C packages/api test',
      'cd packages/api && make',
      'for d in packages/*/; do (cd "$d" && make); done',
    ],
  },
  'writing where rules allow it': {
    allow: [
      ...bash('cp mv tee sed cat curl'),
      'Write(./out/**)',
      'Write(./src/**)',
      'WebFetch(domain:go.dev)',
    ],
    deny: SECRETS,
    plain: [
      'cp notes.txt out/n.txt',
      'cp notes.txt list.txt out',
      'mv out/old.txt out/new.txt',
      'cat notes.txt | tee out/t',
      "sed -i 's/a/b/' src/a.ts",
      'sed -i.bak s/a/b/ src/a.ts',
      'cp -r src out/src',
      'curl -so /dev/null https://go.dev',
      "curl -w '%{http_code}' https://go.dev",
      'cp src/*.ts out',
    ],
    asks: [
      'cp notes.txt x',
      'cp .env out/x',
      'cp secrets/key out',
      'cp evil/package.json out',
      'cp notes.txt out/Makefile',
      'cp -r evil out',
      'cp -r secrets out',
      'cp -r copies out',
      'cp -l notes.txt out',
      'cp -t out notes.txt',
      'mv notes.txt out/n.txt',
      'mv secrets out/s',
      'mv out/x out/package.json',
      'mv out/tools out/node_modules',
      'cat x | tee y',
      'tee out/Makefile',
      'sed -i s/a/b/ notes.txt',
      'sed -i s/a/b/ Makefile',
      'sed -ie s/a/b/ src/a.ts',
      'sed -i.sh s/a/b/ src/a.ts',
      "sed -i 's/a/b/w x' src/a.ts",
      'sed -i --follow-symlinks s/a/b/ src/a.ts',
      "curl -w '%output{x}' https://go.dev",
      'curl -o x https://go.dev',
      'cp /etc/passwd out',
    ],
  },
  'other cases': {
    allow: bash('diff jq awk sh iconv cat git tee zgrep zegrep'),
    plain: [
      'diff <(cat notes.txt) <(cat list.txt)',
      'jq --arg x y .b a.json',
      "awk '{print $1} $2 > 3 {n++} END {print n}' notes.txt",
      'git diff $(git merge-base HEAD main) --stat',
      'git diff "$(git merge-base HEAD main)" --stat',
      'iconv -f UTF-8 -t ASCII//TRANSLIT notes.txt',
      'cat {notes,list}.txt',
    ],
    asks: [
      'sh <(cat notes.txt)',
      'diff <(python3 x) a',
      'diff >(cat) a',
      'tee <(cat a)',
      'jq --arg x y -f z a.json',
      'jq --args . a',
      `awk '{print $1 > "x"}' a`,
      `awk '{print $1,\n$2 > "x"}' a`,
      `awk '{printf("a;") > "x"}' a`,
      `awk '/a}/{print $1; x = "}" } /;/{print > "x"}' a`,
      'git diff $(git branch) --stat',
      'git diff $(git merge-base --all HEAD main)',
      // A repository may contain a link of that name.
      'cat $(git merge-base HEAD main)',
      'cat "$(git merge-base HEAD main)"',
      'git add $(git merge-base HEAD main)',
      'cd $(git merge-base HEAD main) && git diff',
      'iconv -f /etc/passwd',
      'zgrep -n x --after-context /etc/passwd',
      'iconv -t ./x',
      'iconv --from-code=../x',
      'cat {/etc/passwd,a}',
      'cat {a,$x}',
    ],
  },
}

describe.each(Object.entries(classes))('%s', (_, { allow, deny = [], plain, asks }) => {
  test.each(plain)('%j needs no approval', async (command) => {
    const { verdict, what, why } = await decideOn(command, {
      allow: [...allow, 'Bash(rm:*)'],
      deny,
    })
    expect(`${verdict}: ${what}: ${why}`).toMatch(/^allow/)
  })
  test.each(asks)('%j needs approval', async (command) => {
    expect(await verdictOf(command, { allow, deny })).not.toBe('allow')
  })
})

describe('the judged names are the names that run', () => {
  test.each<[string, string]>([
    ['cat src/*.ts', "'cat' 'src/a.ts' 'src/b.ts'"],
    ['cat docs/*y.md docs/it*', `'cat' 'docs/x y.md' 'docs/it'"'"'s.md'`],
    ['echo nothing*', "'echo' 'nothing*'"],
    ['ls packages/*/', "'ls' 'packages/api/'"],
    ['echo "$(cat src/*.ts)" "*.ts" \'*\'', `'echo' "$( 'cat' 'src/a.ts' 'src/b.ts' )" '*.ts' '*'`],
    [
      'for f in src/*.ts; do echo "$f"; done',
      `for f in 'src/a.ts' 'src/b.ts'\ndo\n'echo' "\${f}"\ndone`,
    ],
    ['cd src && cat *.ts', "CDPATH=\n'cd' 'src' && 'cat' 'a.ts' 'b.ts'"],
  ])('%s', async (command, printed) => {
    expect((await decideOn(command, { allow: bash('cat echo ls') })).runs).toBe(printed)
  })

  test('people see the names', async () => {
    const { parts } = await decideOn('cat docs/*y.md', { allow: bash('cat') })
    expect(parts[0]?.what).toBe("cat 'docs/x y.md'")
  })

  test('a pattern in an uncertain folder remains unknown', async () => {
    expect(await verdictOf('cd src; cat *.ts', { allow: bash('cat') })).toBe('ask')
  })
})

describe('lookups of folders are limited', () => {
  const filesIn =
    (count: number): NonNullable<FileSystemView['list']> =>
    async (_, { most }) =>
      count > most
        ? undefined
        : Array.from({ length: count }, (__, at) => ({ path: `f${at}`, kind: 'file' as const }))

  test.each<[string, number, Verdict]>([
    ['grep -rn foo src', 20_000, 'allow'],
    ['grep -rn foo src', 20_001, 'ask'],
    ['grep -rn foo src && grep -rn foo packages', 10_001, 'ask'],
    ['cat src/f1*', 20_001, 'ask'],
  ])('%s with %i files: %s', async (command, count, verdict) => {
    const view = { ...fileSystem, list: filesIn(count) }
    expect(await verdictOf(command, { allow: bash('grep cat'), deny: SECRETS }, view)).toBe(verdict)
  })

  test('for an unlistable folder', async () => {
    const view = { ...fileSystem, list: () => Promise.reject(new Error('gone')) }
    expect(await verdictOf('grep -rn foo src', { allow: bash('grep'), deny: SECRETS }, view)).toBe(
      'ask',
    )
    const unable = { ...fileSystem, list: async () => undefined }
    expect(await verdictOf('cat src/*', { allow: bash('cat') }, unable)).toBe('ask')
  })
})

test("the shell's current folder is treated like any other", async () => {
  const rules = { allow: bash('git make') }
  const roots = [cwd]
  const moved = (folder: string): FileSystemView => ({
    ...fileSystem,
    cwd: `${cwd}/${folder}`,
    roots,
  })
  expect(await verdictOf('git status', rules, moved('packages/api'))).toBe('allow')
  expect(await verdictOf('git status', rules, moved('own'))).toBe('ask')
  expect(await verdictOf('make', rules, moved('packages/api'))).toBe('ask')
})

describe('the temporary folder of a sandbox', () => {
  const real = `${workspace.home}/private`
  workspace.write(`${real}/log`)
  workspace.link(`${real}/link`, `${cwd}/.env`)
  const held: FileSystemView = { ...fileSystem, temporary: async () => [{ path: '/tmp', real }] }
  const rules = {
    allow: bash('cat npm tail node sh pytest make cp cd echo python3'),
    deny: ['Read(//tmp/denied)'],
  }

  test.each<[string, Verdict]>([
    ['cat /tmp/log', 'allow'],
    ['npm test > /tmp/out.txt 2>&1; tail -5 /tmp/out.txt', 'allow'],
    ['cd /tmp && cat log', 'allow'],
    ['cat /tmp/link', 'ask'],
    ['cat /tmp/denied', 'deny'],
    ['cat /tmp/../etc/passwd', 'ask'],
    ['cat /tmp', 'ask'],
    ['cat /tmpfile', 'ask'],
    // Any command may have written the code that would run.
    ['node /tmp/x.js', 'ask'],
    ['sh /tmp/x.sh', 'ask'],
    ['pytest /tmp/test_x.py', 'ask'],
    ['cd /tmp && pytest', 'ask'],
    ['cd /tmp && make', 'ask'],
    ['make -C /tmp', 'ask'],
    ['python3 < /tmp/x.py', 'ask'],
    ['/tmp/x', 'ask'],
  ])('%s: %s', async (command, verdict) => {
    expect(await verdictOf(command, rules, held)).toBe(verdict)
    if (verdict === 'allow') expect(await verdictOf(command, rules)).toBe('ask')
  })

  test('is not visible to tools', async () => {
    const call = { name: 'Read', args: { file_path: '/tmp/log' } }
    expect((await decide(call, { rules: [] }, held)).verdict).toBe('ask')
  })

  test("does not hide a workspace, a home folder or a repository in the system's temporary folder", async () => {
    const inTmp = { ...held, roots: ['/tmp/p/ws'], home: '/tmp/h/home' }
    expect(await verdictOf('cat /tmp/p/other', rules, inTmp)).toBe('ask')
    expect(await verdictOf('cat /tmp/h/home/.ssh/id', rules, inTmp)).toBe('ask')
    expect(await verdictOf('cat /tmp/x', rules, inTmp)).toBe('allow')
  })
})
