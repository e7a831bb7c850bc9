import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownIdentity } from '../process/process-identity.ts'
import { bundleProgram } from '../../test/child.ts'
import { HELD_NAMES } from '../../test/sandboxes.ts'
import { protect, removeLeftovers } from './protect.ts'

function folders(): { root: string; records: string; claim: (change?: object) => void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolglot-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [root, records] = [join(folder, 'root'), join(folder, 'records')]
  mkdirSync(root)
  return {
    root,
    records,
    /** The claim of another process, as if it had created all our placeholders and then ended. */
    claim(change = {}) {
      const { release } = protect([root], records)
      const [file = ''] = readdirSync(records).filter((name) => name.endsWith('.json'))
      const own = JSON.parse(readFileSync(join(records, file), 'utf8')) as object
      const left = readdirSync(root)
      release()
      const start = file.slice(0, file.indexOf('-'))
      for (const name of left.filter((each) => each !== '.mcp.json')) mkdirSync(join(root, name))
      writeFileSync(join(root, '.mcp.json'), '{"mcp')
      const held = Object.fromEntries(left.map((name) => [name, null]))
      const said = { ...own, held, maker: { ...ownIdentity(), pid: ended }, ...change }
      writeFileSync(join(records, `${start}-0-other.json`), JSON.stringify(said))
    },
  }
}

/** The pid of a process that has ended. */
const ended = spawnSync('true').pid

test('placeholders and claims of an ended process are removed', () => {
  const { root, records, claim } = folders()
  claim()
  expect(readdirSync(root)).toEqual(HELD_NAMES)
  removeLeftovers([root], records)
  expect([readdirSync(root), readdirSync(records)]).toEqual([[], []])
})

test.each([
  ['that is running', { maker: ownIdentity() }],
  ['in another container', { maker: { ...ownIdentity(), pid: ended, namespace: 'pid:[1]' } }],
  ['on another machine', { maker: { ...ownIdentity(), pid: ended, host: 'x', boot: 'x' } }],
])('placeholders of a process %s stay', (_, change) => {
  const { root, records, claim } = folders()
  claim(change)
  removeLeftovers([root], records)
  expect(readdirSync(root)).toEqual(HELD_NAMES)
  const { readOnly, release } = protect([root], records)
  expect(readOnly).toContain(join(root, '.claude'))
  release()
  expect(readdirSync(root)).toEqual(HELD_NAMES)
})

test('after a reboot all earlier processes count as ended', () => {
  const { root, records, claim } = folders()
  claim({ maker: { ...ownIdentity(), boot: 'before' } })
  removeLeftovers([root], records)
  expect(readdirSync(root)).toEqual([])
})

test('a file that is newer than its claim belongs to someone else', () => {
  const { root, records, claim } = folders()
  claim({ held: { '.claude': '1 1', '.cursor': null } })
  removeLeftovers([root], records)
  expect(readdirSync(root)).toEqual(HELD_NAMES.filter((name) => name !== '.cursor'))
})

test.each([
  [{ held: { src: null, '../other': null, '/': null, '': null, '.': null } }],
  [{ held: [] }],
  [{ folder: '/' }],
])('a forged record does not make us remove other files: %j', (change) => {
  const { root, records, claim } = folders()
  claim(change)
  mkdirSync(join(root, 'src'))
  mkdirSync(join(root, '../other'))
  removeLeftovers([root], records)
  expect(readdirSync(root)).toEqual(expect.arrayContaining([...HELD_NAMES, 'src']))
  expect(existsSync(join(root, '../other'))).toBe(true)
})

test.each(['file', 'link that leads nowhere'])(
  'if the record cannot be written because of a %s, nothing is created and nothing runs',
  (what) => {
    const { root, records, claim } = folders()
    claim()
    rmSync(records, { recursive: true })
    if (what === 'file') writeFileSync(records, '')
    else symlinkSync('/proc/nowhere', records)
    removeLeftovers([root], records)
    expect(() => protect([root], records)).toThrow(`records in ${records}`)
    expect(readdirSync(root)).toEqual(HELD_NAMES)
    rmSync(records)
    protect([root], records).release()
    expect(readdirSync(root)).toEqual(HELD_NAMES)
  },
)

test('many processes at once: placeholders in use always exist, and none remain in the end', async () => {
  const { root, records } = folders()
  const program = await bundleProgram(new URL('../../test/holding-often.ts', import.meta.url))
  onTestFinished(() => program.remove())
  const env = { ROOT: root, RECORDS: records, TIMES: '150' }
  const children = Array.from({ length: 4 }, () => program.start(env, root))
  await children[0]!.ready
  children[0]!.process.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  expect(children.map((child) => child.output())).toEqual(children.map(() => 'ready\n'))
  removeLeftovers([root], records)
  expect([
    readdirSync(root),
    readdirSync(records).filter((name) => name.endsWith('.json')),
  ]).toEqual([[], []])
})
