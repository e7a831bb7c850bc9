import { spawnSync } from 'node:child_process'
import {
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  linkSync,
  mkdirSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { watchedCalls, withoutDescriptorPaths } from '../../../test/file-system-calls.ts'
import { createWorkspace, type Workspace } from '../../../test/workspace.ts'
import { nodeFiles } from './files.ts'
import { nodeFileSystemCalls } from './file-system-calls.ts'
import { isLong } from '../../../../../tests/helpers/size.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await createWorkspace()
})
afterEach(() => workspace.remove())

const OLD = 'old '.repeat(50_000)
const NEW = 'new '.repeat(60_000)

/** Replaces or creates a file, failing at one step. Returns undefined if there are fewer steps. */
async function replaceFailing(at: number, name: string): Promise<string | undefined> {
  let step = 0
  let failed: string | undefined
  const fs = watchedCalls((what) => {
    if (++step !== at) return
    failed = what
    throw Object.assign(new Error('it broke'), { code: 'EIO' })
  })
  const files = nodeFiles(workspace.host.fileSystem, fs)
  const before = await workspace.host.files.stat(name)
  const done = await files.replace(name, Buffer.from(NEW), { before }).catch(() => undefined)
  if (failed === undefined) expect(done).toBeDefined()
  return failed
}

describe('a failure at any step leaves either the old bytes or the new ones', () => {
  test('of a file', async () => {
    const steps: string[] = []
    for (let at = 1; ; at++) {
      writeFileSync(workspace.path('file.txt'), OLD)
      const failed = await replaceFailing(at, 'file.txt')
      const now = readFileSync(workspace.path('file.txt'), 'utf8')
      expect([OLD, NEW]).toContain(now)
      if (failed === undefined) break
      steps.push(failed)
      // Until the file is replaced, its old bytes are in place, and no temporary file is left.
      if (!steps.includes('rename') || failed === 'rename') {
        expect(now).toBe(OLD)
        expect(readdirSync(workspace.root)).toEqual(['file.txt'])
      }
    }
    expect(steps).toEqual(
      expect.arrayContaining(['realpath', 'open', 'writeFile', 'sync', 'rename']),
    )
  })

  test('of a new file in new folders', async () => {
    for (let at = 1; ; at++) {
      const failed = await replaceFailing(at, 'a/b/file.txt')
      const names = readdirSync(workspace.root, { recursive: true, encoding: 'utf8' })
      if (names.includes('a/b/file.txt'))
        expect(readFileSync(workspace.path('a/b/file.txt'), 'utf8')).toBe(NEW)
      if (failed === undefined) break
      rmSync(workspace.path('a'), { recursive: true, force: true })
    }
    expect(readdirSync(workspace.path('a/b'))).toEqual(['file.txt'])
  })
})

test('a process killed at any step leaves either the old bytes or the new ones', async () => {
  const child = join(workspace.outside, 'child.mjs')
  await bundle(child)
  const seen = new Set<string>()
  for (let at = 1; ; at += isLong ? 1 : 5) {
    writeFileSync(workspace.path('file.txt'), OLD)
    const { signal, status } = spawnSync(process.execPath, [child, workspace.root, `${at}`])
    const now = readFileSync(workspace.path('file.txt'), 'utf8')
    expect([OLD, NEW]).toContain(now)
    seen.add(now)
    if (signal === null) {
      expect([status, now]).toEqual([0, NEW])
      break
    }
    expect(signal).toBe('SIGKILL')
  }
  expect(seen).toEqual(new Set([OLD, NEW]))
}, 60_000)

async function bundle(file: string): Promise<void> {
  const code = `
    import { nodeFiles } from '${import.meta.dirname}/files.ts'
    import { watchedCalls } from '${import.meta.dirname}/../../../test/file-system-calls.ts'
    const [root, at] = process.argv.slice(2)
    const fileSystem = { cwd: root, roots: [root] }
    const before = await nodeFiles(fileSystem).stat('file.txt')
    let step = 0
    const calls = watchedCalls(() => ++step === Number(at) && process.kill(process.pid, 'SIGKILL'))
    await nodeFiles(fileSystem, calls).replace('file.txt', Buffer.from('new '.repeat(60_000)), { before })`
  const built = await rolldown({
    input: 'entry',
    platform: 'node',
    resolve: { conditionNames: ['@toolglot/source', 'import'] },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) => (id === 'entry' ? code : null),
      },
    ],
  })
  await built.write({ file, codeSplitting: false })
  await built.close()
}

describe.each([
  ['with descriptor paths', nodeFileSystemCalls],
  ['without descriptor paths', withoutDescriptorPaths],
])('%s', (_name, fs) => {
  test('does not replace a file changed by another program', async () => {
    const files = nodeFiles(workspace.host.fileSystem, fs)
    writeFileSync(workspace.path('file.txt'), 'a')
    const before = await files.stat('file.txt')
    const beforeReplace = async (): Promise<void> =>
      writeFileSync(workspace.path('file.txt'), 'theirs')
    const replaced = files.replace('file.txt', Buffer.from('b'), { before, beforeReplace })
    await expect(replaced).rejects.toMatchObject({ details: { code: 'changed_meanwhile' } })
    expect(readFileSync(workspace.path('file.txt'), 'utf8')).toBe('theirs')
    expect(readdirSync(workspace.root)).toEqual(['file.txt'])
  })

  test('does not replace a file created by another program', async () => {
    const files = nodeFiles(workspace.host.fileSystem, fs)
    const beforeReplace = async (): Promise<void> =>
      writeFileSync(workspace.path('new.txt'), 'theirs')
    const replaced = files.replace('new.txt', Buffer.from('b'), {
      before: undefined,
      beforeReplace,
    })
    await expect(replaced).rejects.toMatchObject({ details: { code: 'changed_meanwhile' } })
    expect(readFileSync(workspace.path('new.txt'), 'utf8')).toBe('theirs')
  })

  test('lists folders and removes files', async () => {
    const files = nodeFiles(workspace.host.fileSystem, fs)
    const { facts, folders } = await files.replace('a/b/c.txt', Buffer.from('c'), {
      before: undefined,
    })
    expect(folders).toEqual([workspace.path('a'), workspace.path('a/b')])
    expect(await files.list('a')).toEqual([{ name: 'b', isFolder: true }])
    await files.remove('a/b/c.txt', { before: facts, folders: [...folders].reverse() })
    expect(await files.list('.')).toEqual([])
  })
})

test('removes only the leftovers of killed processes', async () => {
  const hex = '0123456789ab'
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000)
  const put = (name: string, time = old): void => {
    writeFileSync(workspace.path(name), '')
    utimesSync(workspace.path(name), time, time)
  }
  put(`.left.txt.${hex}.tmp`)
  put(`.${'x'.repeat(40)}.${hex}.tmp`)
  const kept = [
    `.${'x'.repeat(41)}.${hex}.tmp`,
    `.short.${hex.slice(1)}.tmp`,
    `.upper.${hex.toUpperCase()}.tmp`,
    `left.${hex}.tmp`,
    `.left.${hex}.tmp.txt`,
  ]
  for (const name of kept) put(name)
  put(`.young.${hex}.tmp`, new Date())
  put('other')
  linkSync(workspace.path('other'), workspace.path(`.twice.${hex}.tmp`))
  symlinkSync('other', workspace.path(`.link.${hex}.tmp`))
  mkdirSync(workspace.path(`.folder.${hex}.tmp`))

  await workspace.host.files.replace('new.txt', Buffer.from('x'), { before: undefined })
  expect(readdirSync(workspace.root).sort()).toEqual(
    [
      ...kept,
      `.young.${hex}.tmp`,
      'other',
      `.twice.${hex}.tmp`,
      `.link.${hex}.tmp`,
      `.folder.${hex}.tmp`,
      'new.txt',
    ].sort(),
  )
})
