import {
  chmodSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { uncovered } from './covered.mjs'
import { Fixture } from './fixture.mjs'
import { BUILT, nothingYet, runOracle } from './oracle.mjs'
import { readTrace } from './trace.mjs'
import { lacks } from '../helpers/abilities.ts'

const project = join(import.meta.dirname, '../..')
const missing = (await lacks('bubblewrap')) || (await lacks('strace'))
const LONG = 600_000

/** Runs a number of commands from each of these sources. */
function run(counts: Readonly<Record<string, number>>, options: object = {}) {
  const jobs = Object.entries(counts).map(([source, count]) => ({ source, count }))
  return runOracle({ state: nothingYet(7), nextJob: () => jobs.shift(), ...options })
}

describe.skipIf(missing)('the oracle', () => {
  test(
    'allowed texts have only the effects that the rules cover',
    async () => {
      const programs = ['cat', 'sort', 'grep', 'find', 'sed', 'git', 'make', 'zcat']
      const counts = {
        ...{ grammar: 150, here: 100, 'exact/tar': 20, 'exact/xargs': 20 },
        ...Object.fromEntries(programs.map((name) => [`options/${name}`, 20])),
      }
      const { findings, executed, runs } = await run(counts, { help: false })
      expect(findings).toEqual([])
      expect(executed.size).toBeGreaterThan(150)
      for (const name of ['options/cat', 'options/git', 'exact/tar'])
        expect(runs).toHaveProperty(
          [name],
          expect.toSatisfy((count: number) => count > 3),
        )
    },
    LONG,
  )

  test.each([
    {
      hole: 'a label of sed that ends at the first space',
      file: 'shell/programs/languages.js',
      now: "while (/\\w/.test(script[at] ?? ''))",
      before: "while (/[^\\n;]/.test(script[at] ?? ''))",
      count: { grammar: 20_000 },
      match: ':x w NEWFILE',
    },
    {
      hole: 'a file that git names after several colons',
      file: 'shell/argument-operations.js',
      now: 'const paths = new Set([word]);',
      before: 'return [word];\n    const paths = new Set([word]);',
      count: { grammar: 30_000 },
      match: 'git show :0:.env',
    },
    {
      hole: 'text outside quotes that is expanded to the names of files',
      file: 'shell/print.js',
      now: "...(splits ? ['set -f'] : [])",
      before: '...[]',
      count: { grammar: 8000 },
      match: "$(echo '/home/u",
    },
  ] as const)(
    'finds $hole, if it is open again',
    async ({ file, now, before, count, match }) => {
      // The cache is next to the modules that it imports.
      const cache = join(project, 'node_modules/.cache')
      mkdirSync(cache, { recursive: true })
      const copy = mkdtempSync(join(cache, 'oracle-'))
      onTestFinished(() => rmSync(copy, { recursive: true }))
      cpSync(BUILT, copy, { recursive: true })
      const code = readFileSync(join(copy, file), 'utf8')
      expect(code).toContain(now)
      writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
      writeFileSync(join(copy, file), code.replace(now, before))
      const open = await run(count, { match, dist: copy })
      expect(open.findings.length).toBeGreaterThan(0)
      const closed = await run(count, { match })
      expect(closed.findings).toEqual([])
    },
    LONG,
  )
})

test('reads the used files from a trace, by their real paths, in the folder of each process', () => {
  const trace = [
    '10 execve("/usr/bin/cat", ["cat", "x"], 0x1 /* 3 vars */) = 0',
    '10 clone(child_stack=NULL, flags=SIGCHLD) = 11',
    '11 chdir("sub") = 0',
    '11 openat(AT_FDCWD</ws/sub>, "link", O_RDONLY) = 3</ws/.env>',
    '11 mkdir("new", 0777) = 0',
    '10 openat(AT_FDCWD</ws>, "out", O_WRONLY|O_CREAT|O_TRUNC, 0666 <unfinished ...>',
    '11 unlink("gone") = -1 ENOENT (No such file or directory)',
    '10 <... openat resumed>) = 4</ws/out>',
  ]
  expect(readTrace(trace.join('\n'))).toEqual({
    commands: [],
    started: ['/usr/bin/cat'],
    read: ['/ws/.env'],
    written: ['/ws/sub/new', '/ws/out'],
    listed: [],
    connected: [],
  })
})

test("reads the words of the shell's commands from a trace, even if the child is traced first", () => {
  const trace = [
    '10 execve("/bin/bash", ["/bin/bash", "-c", "tar tf x"], 0x1 /* 3 vars */) = 0',
    '10 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>',
    '11 execve("/usr/bin/tar", ["tar", "tf", "x y"], 0x1 /* 3 vars */) = 0',
    '10 <... clone resumed>) = 11',
    '11 execve("/usr/bin/gzip", ["gzip", "-d"], 0x1 /* 3 vars */) = 0',
    '10 openat(AT_FDCWD</ws>, "/etc", O_RDONLY|O_NONBLOCK|O_CLOEXEC|O_DIRECTORY) = 3</etc>',
    '11 openat(AT_FDCWD</ws>, "/usr", O_RDONLY|O_NONBLOCK|O_CLOEXEC|O_DIRECTORY) = 3</usr>',
  ]
  const { commands, listed } = readTrace(trace.join('\n'))
  expect(commands).toEqual([['tar', 'tf', 'x y']])
  expect(listed).toEqual(['/etc'])
})

test('restores a fixture, and reports the changes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fixture-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [template, used] = [join(folder, 'template'), join(folder, 'used')]
  for (const each of [template, used]) mkdirSync(each)
  mkdirSync(join(template, 'a'))
  for (const name of ['a/b', 'c', 'd']) writeFileSync(join(template, name), name)
  linkSync(join(template, 'c'), join(template, 'e'))
  symlinkSync('c', join(template, 'f'))
  utimesSync(join(template, 'd'), 1000, 1000)
  const listed = () => readdirSync(used, { recursive: true }).map(String).toSorted()
  const fixture = new Fixture(template, used)
  const whole = listed()
  expect(whole).toEqual(['a', 'a/b', 'c', 'd', 'e', 'f'])
  expect(fixture.renew()).toEqual([])

  rmSync(join(used, 'a'), { recursive: true })
  writeFileSync(join(used, 'c'), 'changed')
  utimesSync(join(used, 'd'), 1, 1)
  mkdirSync(join(used, 'g/h'), { recursive: true })
  chmodSync(join(used, 'g'), 0)
  rmSync(join(used, 'f'))
  writeFileSync(join(used, 'f'), '')
  const changed = ['a', 'a/b', 'c', 'd', 'e', 'f', 'g', 'g/h'].map((path) => join(used, path))
  expect(fixture.renew().map(String).toSorted()).toEqual(changed)
  expect(listed()).toEqual(whole)
  expect(readFileSync(join(used, 'e'), 'utf8')).toBe('c')
  expect(lstatSync(join(used, 'c')).ino).toBe(lstatSync(join(used, 'e')).ino)
  expect(readlinkSync(join(used, 'f'))).toBe('c')
  expect(lstatSync(join(used, 'd')).mtimeMs).toBe(1_000_000)
  expect(fixture.renew()).toEqual([])
})

test.each([
  ['a program that no rule allows', { started: ['/usr/bin/touch'] }, 'ran /usr/bin/touch'],
  ['a program of the workspace', { started: ['/ws/evilbin/cat'] }, 'ran /ws/evilbin/cat'],
  ['a denied file', { read: ['/ws/secrets/deep/key2.txt'] }, 'read /ws/secrets/deep/key2.txt'],
  ['a file outside', { read: ['/home/u/out.txt'] }, 'read /home/u/out.txt'],
  ['a folder outside', { listed: ['/etc'] }, 'listed /etc'],
  ['a file that is written', { written: ['/ws/NEWFILE'] }, 'wrote /ws/NEWFILE'],
  ['a file that has changed', { changed: ['/ws/notes.txt'] }, 'wrote /ws/notes.txt'],
  ['a protected file', { written: ['/ws/out/Makefile'] }, 'wrote /ws/out/Makefile'],
  ['content', { printed: 'KEY=CANARYdenied' }, 'showed a denied file'],
  [
    'what rules cover',
    { started: ['/usr/bin/cat'], written: ['/ws/out/x', '/dev/null'] },
    undefined,
  ],
])('%s', (_, seen, found) => {
  const rules = { allow: ['Bash(cat:*)', 'Write(./out/**)'], deny: ['Read(./secrets/**)'] }
  const nothing = {
    ...{ commands: [], started: [], read: [], written: [], listed: [], changed: [] },
    ...{ connected: [], printed: '' },
  }
  expect(uncovered(rules, { ...nothing, ...seen })).toEqual(found === undefined ? [] : [found])
})

test.each([
  ['the words of an exact rule', [['tar', 'tf', 'x'], ['cat']], []],
  ['a wrapper before them', [['timeout', '2', 'tar', 'tf', 'x']], []],
  ['other words', [['tar', 'tf', 'y']], ['ran tar tf y']],
  ['another program', [['sh', 'tf', 'x']], ['ran sh tf x']],
])('%s', (_, commands, found) => {
  const rules = { allow: ['Bash(tar tf x)'], deny: [], exact: ['tar', 'tf', 'x'] }
  const nothing = { started: [], read: [], written: [], listed: [] }
  const seen = { ...nothing, changed: [], connected: [], printed: '' }
  expect(uncovered(rules, { commands, ...seen })).toEqual(found)
})
