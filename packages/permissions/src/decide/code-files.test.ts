import { execFileSync } from 'node:child_process'
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { runs, share } from '../../../../tests/helpers/size.ts'
import { makeWorkspace, type Workspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import { readRules } from '../rule/read-rules.ts'
import { list } from '../shell/program.ts'
import { isSelfContained, TABLES } from '../shell/programs/index.ts'
import { INERT } from './shell-parts.ts'
import { describeCode, findCode } from './code-files.ts'
import { decide } from './decide.ts'
import type { Decision } from './decision.ts'
import type { FileSystemView } from './file-system.ts'

const workspace = makeWorkspace()
for (const path of ['x.sh', 'x.awk', 'F', 'Makefile', 'package.json', 'mod.py', 'pkg/__main__.py'])
  workspace.write(path)
for (const path of ['sub/run.sh', 'sub/Makefile', 'conftest.py', 'build.rs', 'gradlew', 'a b.sh'])
  workspace.write(path)
workspace.link('link.sh', 'x.sh')
afterAll(() => workspace.remove())

interface Found {
  readonly decision: Decision
  readonly files: readonly string[]
}

async function codeOf(
  command: string,
  { cwd }: Pick<Workspace, 'cwd'> = workspace,
  fileSystem: FileSystemView = nodeFileSystem({ cwd }),
): Promise<Found> {
  const decision = await decide({ name: 'Bash', args: { command } }, { rules: [] }, fileSystem)
  const { versions } = await findCode(decision, fileSystem)
  return { decision, files: versions.map(([path]) => path.replace(`${cwd}/`, '')) }
}

describe('an approval covers the file that runs, and any code in the folder', () => {
  test.each([
    ['. ./x.sh', 'x.sh'],
    ['source x.sh', 'x.sh'],
    ['. ./link.sh', 'link.sh'],
    ['bash "a b.sh"', 'a b.sh'],
    ['awk -f x.awk', 'x.awk'],
    ['awk -fx.awk', 'x.awk'],
    ['sed --file=x.awk', 'x.awk'],
    ['make -f F', 'F'],
    ['make', 'Makefile'],
    ['make -C sub', 'sub/Makefile'],
    ['npm run x', 'package.json'],
    ['pnpm test', 'package.json'],
    ['python3 -m mod', 'mod.py'],
    ['python3 -mpkg', 'pkg/__main__.py'],
    ['eval "$(cat x.sh)"', 'x.sh'],
    ['bash -c "$(cat x.sh)"', 'x.sh'],
    ['bash <(cat x.sh)', 'x.sh'],
    ['bash < x.sh', 'x.sh'],
    ['cat x.sh | bash', 'x.sh'],
    ['cp x.sh /tmp/y.sh; bash /tmp/y.sh', 'x.sh'],
    ['f=x.sh; bash $f', 'x.sh'],
    ['f=x; bash "$f.sh"', 'x.sh'],
    ['for f in x.sh; do bash $f; done', 'x.sh'],
    ['bash $PWD/x.sh', 'x.sh'],
    ['bash "$(pwd)/sub/run.sh"', 'sub/run.sh'],
    ['bash ${HERE}/x.sh', 'x.sh'],
    ['cd sub && ./run.sh', 'sub/run.sh'],
    ['cd sub; ../x.sh', 'x.sh'],
    ['cd sub && make', 'sub/Makefile'],
    ['cd sub && npm test', 'package.json'],
    ['env -C sub ./run.sh', 'sub/run.sh'],
    ['env X=1 bash x.sh', 'x.sh'],
    ['BASH_ENV=x.sh bash -c true', 'x.sh'],
    ['LD_PRELOAD=./F ls', 'F'],
    ['xargs bash x.sh', 'x.sh'],
    ['find . -exec ./x.sh {} +', 'x.sh'],
    ['cargo run', 'build.rs'],
    ['./gradlew build', 'gradlew'],
    ['pytest', 'conftest.py'],
    ['perl -e \'do "./x.sh"\'', 'x.sh'],
    ['unknown-program --config=F', 'F'],
    ['git -c core.fsmonitor=./x.sh status', 'x.sh'],
    ['c8 touch F', 'F'],
    ["x='a[$(. ./x.sh)]'; echo $((x))", 'x.sh'],
    ['LD_PRELOAD=./F xargs ls', 'F'],
  ])('%s', async (command, file) => {
    const { decision, files } = await codeOf(command)
    expect(decision).toMatchObject({ verdict: 'ask', code: { anything: true } })
    expect(describeCode(decision.code)).toContain('May run any code in this folder')
    expect(files).toContain(file)
  })
})

test.each([
  ...[
    'rm -rf x.sh',
    'rm "$x" ${y} *.o',
    'cat x.sh',
    'mkdir -p a && touch a/b',
    'cp x.sh y.sh',
    'kill 1',
  ],
  ...['sed -i s/a/b/ x.sh', 'find . -name a -delete', 'find . -exec rm -rf {} +', 'chmod +x x.sh'],
  ...['curl -o x https://example.com', 'echo hi > x', 'ls | xargs rm', 'timeout 5 rm x'],
  ...['for f in a b; do rm $f; done', '[ -f x.sh ] && rm x.sh', 'cd sub && rm run.sh'],
])('%s runs no code', async (command) => {
  const { decision, files } = await codeOf(command)
  expect(decision.verdict).toBe('ask')
  expect(decision.code).toBeUndefined()
  expect(files).toEqual([])
})

test('code is listed only for approvals', async () => {
  const fileSystem = nodeFileSystem({ cwd: workspace.cwd })
  const call = { name: 'Bash', args: { command: 'bash x.sh' } }
  const { rules } = readRules({ allow: ['Bash(bash x.sh)'] })
  for (const permissions of [{ rules }, { rules: [], interactive: false }])
    expect((await decide(call, permissions, fileSystem)).code).toBeUndefined()
})

describe('a repository', () => {
  const repository = makeWorkspace()
  repository.write('.git/HEAD', 'ref: refs/heads/main\n')
  repository.write('.git/config', '[core]\n\tbare = false\n')
  repository.write('Makefile')
  afterAll(() => repository.remove())

  test('without hooks, git applies only its settings', async () => {
    const { decision, files } = await codeOf('git commit -m x', repository)
    expect(decision.code).toMatchObject({ anything: false })
    expect(describeCode(decision.code)).toEqual([])
    expect(files).toEqual(['.git/config'])
  })

  test('with hooks, a commit may run any code', async () => {
    repository.write('.git/hooks/pre-commit')
    const { decision, files } = await codeOf('git commit -m x', repository)
    expect(decision.code).toMatchObject({ anything: true })
    expect(files).toEqual(['.git/config', '.git/hooks/pre-commit', 'Makefile'])
    expect((await codeOf('git log', repository)).decision.code).toMatchObject({ anything: false })
  })

  test('with a continued rebase, any command in its list of steps may run', async () => {
    const plain = makeWorkspace()
    plain.write('.git/HEAD', 'ref: refs/heads/main\n')
    plain.write('.git/config', '[core]\n\tbare = false\n')
    for (const [command, anything] of [
      ['git rebase main', false],
      ['git rebase --abort', false],
      ['git rebase --continue', true],
      ['git rebase --skip', true],
    ] as const)
      expect((await codeOf(command, plain)).decision.code, command).toMatchObject({ anything })
    plain.remove()
  })

  test('finds the hooks and settings of linked working trees and submodules', async () => {
    const place = makeWorkspace()
    const { cwd } = place
    const run = (script: string): void =>
      void execFileSync('bash', ['-ec', script], { cwd, stdio: 'pipe' })
    const commit = 'git -c user.name=a -c user.email=a@example.com commit -qm x --allow-empty'
    run(`git init -q lib; cd lib; ${commit}`)
    run('git init -q main; cd main; git -c protocol.file.allow=always submodule add -q ../lib lib')
    run(`cd main; ${commit}; git worktree add -q ../tree; echo > .git/hooks/pre-commit`)
    const covered = async (folder: string, command: string): Promise<readonly string[]> => {
      const fileSystem = nodeFileSystem({ cwd: `${cwd}/${folder}` })
      const { files } = await codeOf(command, { cwd }, fileSystem)
      return files.filter((file) => !file.endsWith('.sample'))
    }
    const own = ['main/.git/config', 'main/.git/hooks/pre-commit']
    expect(await covered('tree', 'git commit -m x')).toEqual(expect.arrayContaining(own))
    expect(await covered('main/lib', 'git commit -m x')).toContain('main/.git/modules/lib/config')
    const all = [...own, 'main/.git/modules/lib/config']
    expect(await covered('main', 'git status')).toEqual(expect.arrayContaining(all))
    place.remove()
  })
})

/** Ways to run a file from its folder. */
const ways: ((file: string) => string)[] = [
  (file) => `. ./${file}`,
  (file) => `source ${file}`,
  (file) => `./${file}`,
  (file) => `bash ${file}`,
  (file) => `bash < ${file}`,
  (file) => `cat ${file} | sh`,
  (file) => `eval "$(cat ${file})"`,
  (file) => `make -f ${file}`,
  (file) => `make -f${file}`,
  (file) => `awk --file=${file}`,
  (file) => `node --require ./${file}`,
  (file) => `unknown ${file}`,
  (file) => `f=${file}; bash $f`,
  (file) => `f="${file}"; . "./$f"`,
  (file) => `python3 -c 'exec(open("${file}").read())'`,
]

/** Words that may precede a simple command. */
const before = ['', 'env A=1 ', 'timeout 5 ', 'xargs ', 'sudo ', 'nice -n 5 ', 'A=1 ', 'exec ']

/** Ways to run a command in the folder. */
const moves: ((text: string) => string)[] = [
  (text) => `cd deep && ${text}`,
  (text) => `(cd ./deep; ${text})`,
  (text) => `pushd deep; ${text}`,
  (text) => `if cd deep; then ${text}; fi`,
  (text) => `d=deep; cd $d && ${text}`,
  (text) => `bash -c '${text.replaceAll("'", `'\\''`)}'`,
]

test('an approval covers a file in any notation, and reports that any code may run', async () => {
  const place = makeWorkspace()
  const files = ['one.sh', 'two']
  for (const file of files) for (const folder of ['', 'deep/']) place.write(`${folder}${file}`)
  const texts = fc.record({
    file: fc.constantFrom(...files),
    way: fc.constantFrom(...ways),
    wrapper: fc.constantFrom(...before),
    move: fc.option(fc.constantFrom(...moves)),
  })
  await fc.assert(
    fc.asyncProperty(texts, async ({ file, way, wrapper, move }) => {
      const text = `${wrapper}${way(file)}`
      const found = await codeOf(move ? move(text) : text, place)
      expect(found.decision.code?.anything).toBe(true)
      expect(found.files).toContain(move && !move('').startsWith('bash') ? `deep/${file}` : file)
    }),
    runs(500),
  )
  place.remove()
})

describe('tables', () => {
  const programs = TABLES.flat()

  test('a listed program may run any code unless its table rules that out', async () => {
    const others = programs.filter((program) => !isSelfContained(program))
    const names = others.flatMap((program) => list(program.names))
    expect(names.length).toBeGreaterThan(500)
    for (const name of share(names, 4))
      expect([name, (await codeOf(`${name} something`)).decision.code?.anything]).toEqual([
        name,
        true,
      ])
  })

  test('a program with a similar name may run any code', async () => {
    const names = programs.flatMap((program) => list(program.names))
    const alike = fc
      .tuple(fc.constantFrom(...names), fc.constantFrom('./N', '/bin/N', 'N.exe', 'N-1', 'xN'))
      .map(([name, form]) => form.replace('N', name))
      .filter((name) => !names.includes(name))
    await fc.assert(
      fc.asyncProperty(alike, async (name) => {
        const { decision } = await codeOf(`${name} something`)
        expect(decision.code?.anything ?? decision.verdict === 'deny').toBe(true)
      }),
      runs(300),
    )
  })

  test('the reasons that rule it out occur in the tables', () => {
    const texts = JSON.stringify(programs, (_, value: unknown) =>
      value instanceof RegExp ? value.source : value,
    )
    expect([...INERT].filter((why) => !texts.includes(`"${why}"`))).toEqual([])
    expect([...INERT].filter((why) => /\b(?:run|load|start|execute)s?\b/.test(why))).toEqual([])
  })
})

describe('a change of a file is noticed', () => {
  const place = makeWorkspace()
  const fileSystem = nodeFileSystem({ cwd: place.cwd })
  afterAll(() => place.remove())
  const versionsOf = async (command: string): Promise<unknown> => {
    const decision = await decide({ name: 'Bash', args: { command } }, { rules: [] }, fileSystem)
    return (await findCode(decision, fileSystem)).versions
  }

  test('with the same size and times', async () => {
    place.write('run.sh', 'echo one')
    const file = `${place.cwd}/run.sh`
    const { atime, mtime } = statSync(file)
    const earlier = await versionsOf('bash run.sh')
    expect(await versionsOf('bash run.sh')).toEqual(earlier)
    place.write('run.sh', 'echo two')
    utimesSync(file, atime, mtime)
    expect(await versionsOf('bash run.sh')).not.toEqual(earlier)
    place.write('run.sh', 'echo one')
    expect(await versionsOf('bash run.sh')).toEqual(earlier)
  })

  test('in a large file', async () => {
    place.write('large', 'a'.repeat(5_000_000))
    const earlier = await versionsOf('./large')
    place.write('large', `${'a'.repeat(4_999_999)}b`)
    expect(await versionsOf('./large')).not.toEqual(earlier)
  })

  test.each([
    ['make', 'GNUmakefile'],
    ['npm test', 'package.json'],
    ['python3 -m later', 'later.py'],
    ['bash new.sh', 'new.sh'],
    ['git commit -m x', '.git/hooks/pre-commit'],
  ])('when a file appears: %s', async (command, file) => {
    const earlier = await versionsOf(command)
    place.write(file)
    expect(await versionsOf(command)).not.toEqual(earlier)
  })
})

test('the work is limited', async () => {
  const counts = { identify: 0, list: 0, version: 0, bytes: 0 }
  const real = nodeFileSystem({ cwd: workspace.cwd })
  const text = `./x.sh ${Array.from({ length: 1900 }, (_, at) => `a${at}`).join(' ')}`
  const decision = await decide({ name: 'Bash', args: { command: text } }, { rules: [] }, real)
  const folders = Array.from({ length: 500 }, (_, at) => `${workspace.cwd}/${at}`)
  await findCode(
    { ...decision, code: { anything: true, folders } },
    {
      ...real,
      identify: (path) => (counts.identify++, { id: path, isFolder: true, linkCount: 1 }),
      list: async () => (counts.list++, [{ path: 'Makefile', kind: 'file' }]),
      version: (_, most) => {
        counts.version++
        counts.bytes += most
        return { version: '1', bytes: most }
      },
    },
  )
  expect(counts.list).toBeLessThanOrEqual(200)
  expect(counts.identify).toBeLessThan(20_000)
  expect(counts.bytes).toBeLessThanOrEqual(32 << 20)
})

test('a device or pipe in place of a script does not block', async () => {
  execFileSync('mkfifo', [`${workspace.cwd}/pipe`])
  const { files } = await codeOf('bash /dev/zero; bash pipe')
  expect(files).toEqual(expect.arrayContaining(['/dev/zero', 'pipe']))
})

test('unlistable folders and commands that are too long do not hide code', async () => {
  const other = makeWorkspace()
  for (const path of ['Makefile', 'package.json']) other.write(path)
  expect((await codeOf(`make # ${'x'.repeat(20_000)}`, other)).files).toContain('Makefile')
  writeFileSync(Buffer.concat([Buffer.from(`${other.cwd}/`), Buffer.from([0xff])]), '')
  expect((await codeOf('make', other)).files).toContain('Makefile')
  expect((await codeOf('npm test', other)).files).toContain('package.json')
  other.remove()
})
