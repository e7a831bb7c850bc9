import { execFileSync } from 'node:child_process'
import { afterAll, describe, expect, test } from 'vitest'
import { rulesOf } from '../../test/rules.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import { decide } from './decide.ts'

const workspace = makeWorkspace()
const { cwd } = workspace
const BACKTICKS = 'x`y`touch PWNED #'
for (const path of [
  ...['.env', 'notes.txt', 'src/a.ts', 'src/b.ts', 'sub/deep/x', 'sub/y.txt', 'out/old.txt'],
  ...[`ticks/${BACKTICKS}`, 'odd/a -f b', 'odd/plain', 'dash/-rf', 'deep/er/z', 'evil/Makefile'],
])
  workspace.write(path)
workspace.link('sub/link', '../notes.txt')
workspace.link('lnk', 'sub')
afterAll(() => workspace.remove())

const fileSystem = nodeFileSystem({ cwd, home: workspace.home })
const bash = (names: string): string[] => names.split(' ').map((name) => `Bash(${name}:*)`)
const allow = [
  ...bash('git cat echo grep find cp mv rm mkdir touch sed ls wc head make npm tee xargs timeout'),
  ...['Bash(xargs grep:*)', 'Bash(xargs cat:*)', 'Write(./**)', 'Bash(./build.sh)'],
]
const verdictOf = async (command: string, deny: readonly string[] = ['Read(.env)']) => {
  const permissions = { rules: rulesOf({ allow, deny }, cwd) }
  return (await decide({ name: 'Bash', args: { command } }, permissions, fileSystem)).verdict
}

/**
 * Commands that each depend on one kind of lookup: a pattern, a whole folder, the names in a
 * folder, the repository, a path.
 */
const LOOKED_UP = [
  'cat src/*.ts',
  'grep -rn foo src',
  'find src | xargs grep x',
  'cd sub && git status',
  'git -C sub status',
]

describe.each(LOOKED_UP)('%j', (command) => {
  test('needs no approval alone or after a harmless command', async () => {
    for (const text of [
      command,
      `git log -1; ${command}`,
      `(${command}) | head -1`,
      `cat notes.txt && ls && echo x && ${command}`,
      `${command}; git checkout main`,
      `timeout 5 git status; ${command}`,
      `sed -n 1p notes.txt > /dev/null; ${command}`,
    ])
      expect(`${text}: ${await verdictOf(text)}`).toBe(`${text}: allow`)
  })

  test.each([
    `git checkout evil && ${command}`,
    `git pull; ${command}`,
    `git stash pop || ${command}`,
    `echo x > notes.txt; ${command}`,
    `mkdir out/x; ${command}`,
    `rm notes.txt; ${command}`,
    `npm test; ${command}`,
    `./build.sh; ${command}`,
    `sed -i s/a/b/ notes.txt; ${command}`,
    `timeout 5 git checkout evil; ${command}`,
    `(git checkout evil); ${command}`,
    `if git checkout evil; then ${command}; fi`,
    `echo $(git checkout evil); ${command}`,
    `echo \`git checkout evil\`; ${command}`,
    `{ ls; } > out/x; ${command}`,
    // Concurrently.
    `(sleep 1; ${command}) & git checkout evil`,
    `git checkout evil & ${command}`,
    `git checkout evil | (${command})`,
    `(${command}) | git checkout evil`,
    `cat <(git checkout evil); ${command}`,
    `(${command}); cat <(git checkout evil)`,
    // The change affects the next iteration.
    `for i in 1 2; do (${command}); git checkout evil; done`,
    `while (${command}); do git checkout evil; done`,
    `while git checkout evil; do (${command}); done`,
    // Inside the command itself.
    `${command} $(git checkout evil)`,
  ])('%j needs approval', async (text) => {
    expect(await verdictOf(text)).not.toBe('allow')
  })
})

test.each([
  'git checkout evil && cat notes.txt',
  'git checkout evil && cd sub && cat y.txt',
  'git checkout evil && echo x > notes.txt',
  'git clone ./sub new && cat new/x',
  'git restore --source=evil notes.txt; cat notes.txt',
  'git checkout -f -b x && cat notes.txt',
  'git switch --discard-changes -c x && cat notes.txt',
])('%j: a link may exist by then', async (text) => {
  expect(await verdictOf(text)).toBe('ask')
})

test('after a link, `..` leads elsewhere than it seems to', async () => {
  expect(await verdictOf('git -C lnk/.. status')).toBe('ask')
  expect(await verdictOf('git -C sub status')).toBe('allow')
})

test('if the folder that `cd` computes is missing, the shell follows links', async () => {
  workspace.link('inner', 'deep/er')
  const deny = ['Read(deep/er/z)']
  expect(await verdictOf('cd inner/../er && cat z', deny)).toBe('ask')
  expect(await verdictOf('cd inner/.. && ls', deny)).toBe('ask')
  expect(await verdictOf('cd sub/deep/../.. && cat notes.txt', deny)).toBe('allow')
})

test('a file that the command has written is still the same file', async () => {
  expect(await verdictOf('echo x > out/new.txt && cat out/new.txt')).toBe('allow')
  expect(await verdictOf('npm test; cat notes.txt')).toBe('allow')
  expect(await verdictOf('git checkout main; ls src; git status; npm test')).toBe('allow')
  expect(await verdictOf('git checkout -b x && git push -u origin x')).toBe('allow')
  expect(await verdictOf('git switch -q -c x && cat notes.txt')).toBe('allow')
})

describe('moved files', () => {
  test.each([
    'cd sub/deep && mv ../deep ../../out/deep && cat ../y.txt',
    'cd sub && mv ../sub ../deep/sub && cat ../y.txt',
    'cd sub/deep; git mv ../../sub ../../out/sub; cat ../y.txt',
    '(cd deep/er; sleep 1; cat ../../notes.txt) & mv deep out',
    'mv sub/link out/link',
    'cp -r sub/link out/link',
    'cp -r lnk out/lnk',
    'mv lnk out/lnk',
    'git mv sub/link out/link',
    'mv sub out/sub',
    'git mv sub out/sub',
  ])('%j needs approval', async (text) => {
    expect(await verdictOf(text)).toBe('ask')
  })

  test.each(['git mv .env out/x', 'git mv -f -- .env x', 'mv .env out/x', 'git mv src .env x'])(
    '%j is denied',
    async (text) => {
      expect(await verdictOf(text)).toBe('deny')
    },
  )

  test('plain files and folders may be moved', async () => {
    for (const text of ['mv notes.txt out/n.txt', 'mv src out/src', 'git mv notes.txt out'])
      expect(await verdictOf(text)).toBe('allow')
  })

  test('files that the command creates may be moved, unless a rule may cover the new place', async () => {
    const texts = [
      ...['mkdir out/d; mv out/d out/e', 'mkdir -p out/d && mv notes.txt out/d/'],
      ...['touch out/n; mv out/n out/m', 'mkdir out/d; cp notes.txt out/d/x; mv out/d gen'],
    ]
    for (const text of texts) expect(await verdictOf(text)).toBe('allow')
    const deny = ['Read(.env)', 'Edit(./gen/x)']
    expect(await verdictOf(texts.at(-1)!, deny)).toBe('ask')
    expect(await verdictOf('mkdir out/d; cp notes.txt out/d/x; cp -r out/d gen', deny)).toBe('ask')
    expect(await verdictOf('mkdir out/d; mv out/d patches')).toBe('ask')
    expect(await verdictOf('git checkout x; mv notes.txt out/n.txt')).toBe('ask')
    expect(await verdictOf('mkdir out/d; mv src out/d')).toBe('ask')
  })

  test('a missing file is not moved', async () => {
    expect(await verdictOf('mv missing out/x')).toBe('allow')
    expect(await verdictOf('mv missing/a.ts out/')).toBe('allow')
    expect(await verdictOf('git mv --sparse missing out/x')).toBe('ask')
    expect(await verdictOf('mv missing/.env out/x')).toBe('deny')
  })

  test('a rule that denies writing a file also prevents moving its folder', async () => {
    expect(await verdictOf('mv src out/src', ['Edit(src/a.ts)'])).not.toBe('allow')
    expect(await verdictOf('git mv src out/src', ['Edit(src/a.ts)'])).not.toBe('allow')
  })
})

describe('names of files', () => {
  test.each([
    'echo `cat ticks/*`',
    'echo "`cat ticks/*`"',
    'echo $(echo `cat ticks/*`)',
    'cat ticks/`echo *`',
    'cat <<E\n$(cat src/*.ts)\nE',
    'echo "${x:-`cat ticks/*`}"',
  ])('patterns in %j are not expanded', async (command) => {
    const permissions = { rules: rulesOf({ allow: bash('cat echo') }, cwd) }
    const decision = await decide({ name: 'Bash', args: { command } }, permissions, fileSystem)
    expect(decision.verdict).toBe('ask')
    expect(decision).not.toHaveProperty('runs')
  })

  test('backticks in a name are quoted elsewhere', async () => {
    const permissions = { rules: rulesOf({ allow: bash('cat') }, cwd) }
    const call = { name: 'Bash', args: { command: 'cat ticks/*' } }
    expect(await decide(call, permissions, fileSystem)).toMatchObject({
      verdict: 'allow',
      runs: `'cat' 'ticks/${BACKTICKS}'`,
    })
  })

  test.each([
    'find odd | xargs grep x',
    'find odd -print | xargs cat',
    'find odd | xargs -I{} grep x {}',
    'cd dash && find * | xargs -0 cat',
    'find odd | xargs -d x cat',
    'find src | head -v | xargs cat',
    'find src | tail --verbose | xargs cat',
  ])('%j: a name may become several names or an option', async (text) => {
    expect(await verdictOf(text, [])).toBe('ask')
  })

  test('two parentheses are not always two subshells', async () => {
    for (const text of [
      'cat <((echo a && cat <<-E && echo a\n))\ntouch x\nE\n))',
      'cat <((echo a))',
      'echo $((ls) )',
    ])
      expect(`${text}: ${await verdictOf(text, [])}`).toBe(`${text}: ask`)
    expect(await verdictOf('cat <(echo a) <(ls; (ls))', [])).toBe('allow')
  })

  test('a `+` ends the command of `find` only after `{}`', async () => {
    expect(await verdictOf('find . -exec grep x + .env \\;')).not.toBe('allow')
    expect(await verdictOf('find src -exec grep S + .env {} +')).not.toBe('allow')
    expect(await verdictOf('find src -exec grep x {} +')).toBe('allow')
  })

  test('git runs in the repositories it tracks', async () => {
    const own = makeWorkspace()
    const git = (folder: string, ...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: `${own.cwd}/${folder}`,
        stdio: 'ignore',
      })
    own.write('notes.txt')
    own.write('evil/x')
    own.write('sub/y')
    for (const folder of ['.', 'evil']) git(folder, 'init', '-q')
    for (const args of [
      ['add', 'x'],
      ['commit', '-qm', 'x'],
    ])
      git('evil', ...args)
    git('evil', 'config', 'core.fsmonitor', 'touch x;')
    const view = nodeFileSystem({ cwd: own.cwd, home: own.home })
    const permissions = { rules: rulesOf({ allow: bash('git ls') }, own.cwd) }
    const verdictHere = async (command: string) =>
      (await decide({ name: 'Bash', args: { command } }, permissions, view)).verdict
    for (const text of [
      'git add evil && git status',
      'git add . && git diff',
      'git add -A && git commit -m x && git push origin main',
      'cd sub && git add -A',
      // The second command uses folders that the first one added, which are not known yet.
      'git commit -m w && git add notes.txt && git add sub',
      'git commit -m w && git add sub && git commit -m x && git commit -m y',
      'git checkout other && git status',
      // These commands use files that they have checked out themselves.
      'git checkout other',
      'git switch other',
      'git checkout -b x other',
      'git checkout main && ls',
      'git pull; git diff',
    ])
      expect(`${text}: ${await verdictHere(text)}`).toBe(`${text}: ask`)
    for (const text of [
      'git status',
      'git add notes.txt && git status',
      'git add notes.txt && git add sub && git commit -m x && git push origin main',
      'cd sub && git add .',
      'git checkout -b x && git add notes.txt && git commit -m x && git push',
      'git fetch && git log',
      // A stash contains only files that were tracked here.
      'git stash && git stash pop',
    ])
      expect(`${text}: ${await verdictHere(text)}`).toBe(`${text}: allow`)
    git('.', 'add', 'evil')
    for (const text of ['git fetch', 'git add .'])
      expect(`${text}: ${await verdictHere(text)}`).toBe(`${text}: ask`)
    expect(await verdictHere('git status')).toBe('ask')
    own.remove()
  })

  test('a file that an earlier call made git track still needs approval', async () => {
    expect(await verdictOf('git add -f evil')).toBe('ask')
    expect(await verdictOf('cd evil && make')).toBe('ask')
    expect(await verdictOf('make -C evil')).toBe('ask')
  })
})
