import { readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { readOnce } from '../../../test/read-once.ts'
import { withoutDescriptorPaths } from '../../../test/file-system-calls.ts'
import { createWorkspace } from '../../../test/workspace.ts'
import { nodeFileSystemCalls } from './file-system-calls.ts'

/** The number of swaps. Set TOOLGLOT_SWAPS=10000 for a thorough run. */
const SWAPS = Number(process.env['TOOLGLOT_SWAPS'] ?? 400)

/** Swaps a folder and a file with links that lead outside, and back, as fast as possible. */
const swapper = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs')
  const { workerData: { root, outside, swaps, counter } } = require('node:worker_threads')
  const count = new Int32Array(counter)
  symlinkSync(outside, root + '/link-folder')
  symlinkSync(outside + '/secret.txt', root + '/link-file')
  for (let swap = 0; swap < swaps; swap++) {
    move('folder', 'spare-folder')
    move('link-folder', 'folder')
    move('secret.txt', 'spare-file')
    move('link-file', 'secret.txt')
    Atomics.wait(count, 1, 0, swap % 3 ? 0 : 0.3)
    move('folder', 'link-folder')
    move('spare-folder', 'folder')
    move('secret.txt', 'link-file')
    move('spare-file', 'secret.txt')
    Atomics.wait(count, 1, 0, swap % 3 ? 0 : 0.3)
    Atomics.add(count, 0, 1)
  }

  // While a name is free, a write creates a file or folder there, as it should: move that out of the way.
  function move(from, to) {
    for (;;) {
      try {
        return renameSync(root + '/' + from, root + '/' + to)
      } catch (error) {
        if (!['ENOTEMPTY', 'EISDIR', 'EEXIST'].includes(error.code)) throw error
        try {
          rmSync(root + '/' + to, { recursive: true, force: true })
        } catch {}
      }
    }
  }`

test.each([
  ['with descriptor paths', nodeFileSystemCalls],
  ['without descriptor paths', withoutDescriptorPaths],
])(
  `no path leads outside while links are swapped in, %s`,
  { timeout: 600_000 },
  async (_name, fs) => {
    const workspace = await createWorkspace(fs)
    const { root, outside, host } = workspace
    mkdirSync(join(root, 'folder'))
    for (const name of ['secret.txt', 'folder/secret.txt']) writeFileSync(join(root, name), 'mine')
    writeFileSync(join(outside, 'secret.txt'), 'SECRET')

    const counter = new SharedArrayBuffer(8)
    const count = new Int32Array(counter)
    const worker = new Worker(swapper, {
      eval: true,
      workerData: { root, outside, swaps: SWAPS, counter },
    })
    let failed: unknown
    worker.on('error', (error) => (failed = error))
    const outcomes = { read: 0, written: 0, refused: 0 }
    const attempt = async (work: () => Promise<'read' | 'written'>): Promise<void> => {
      try {
        outcomes[await work()]++
      } catch (error) {
        // A swapped file is refused or not found, with a proper error.
        expect(error).toMatchObject({ name: 'ToolError' })
        outcomes.refused++
      }
    }
    const read = (path: string) => async (): Promise<'read'> => {
      expect(await readOnce(host.files, path)).not.toContain('SECRET')
      return 'read'
    }
    const write = (path: string) => async (): Promise<'written'> => {
      const before = await host.files.stat(path)
      await host.files.replace(path, Buffer.from('written by us'), { before })
      return 'written'
    }
    const list = async (): Promise<'read'> => {
      const names = (await host.files.list('folder')).map(({ name }) => name)
      // Without descriptor paths, the names in a folder that is swapped in and out may leak, but not
      // its contents.
      if (fs === nodeFileSystemCalls) expect(names).not.toContain('only-outside')
      return 'read'
    }
    writeFileSync(join(outside, 'only-outside'), '')
    for (let round = 0; Atomics.load(count, 0) < SWAPS && failed === undefined; round++) {
      await attempt(read('secret.txt'))
      await attempt(read('folder/secret.txt'))
      await attempt(write('folder/secret.txt'))
      await attempt(write(`folder/new-${round % 10}.txt`))
      await attempt(write(`folder/deep-${round % 10}/new.txt`))
      await attempt(list)
    }
    await worker.terminate()
    expect(failed).toBeUndefined()

    // No file outside was written or changed.
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('SECRET')
    const strangers = readdirSync(outside, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !['secret.txt', 'only-outside'].includes(entry.name))
      .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).length > 0)
    expect(strangers).toEqual([])
    if (fs === nodeFileSystemCalls)
      expect(readdirSync(outside).sort()).toEqual(['only-outside', 'secret.txt'])
    expect(outcomes.refused).toBeGreaterThan(0)
    // After the swaps, all operations work as usual.
    await write('folder/secret.txt')()
    await read('folder/secret.txt')()
    if (SWAPS >= 10_000) console.log(`${SWAPS} swaps, 0 escapes:`, outcomes)
    workspace.remove()
  },
)
