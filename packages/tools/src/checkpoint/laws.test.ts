import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextOf, createWorkspace } from '../../test/workspace.ts'
import { readTool } from '../tools/read.ts'
import { writeTool } from '../tools/write.ts'
import { createCheckpoints } from './checkpoints.ts'
import { runs } from '../../../../tests/helpers/size.ts'

/** All files below a folder, and the folders, by path. */
function snapshot(folder: string): Record<string, string | null> {
  const found: Record<string, string | null> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    found[name] = statSync(path).isFile() ? readFileSync(path, 'utf8') : null
  }
  return found
}

const names = fc.constantFrom('a.txt', 'b.txt', 'deep/down/c.txt', 'deep/d.txt')
const calls = fc.array(
  fc.record({ call: fc.integer({ min: 0, max: 5 }), name: names, content: fc.string() }),
  { minLength: 1, maxLength: 12 },
)

test('undoing all calls from one on restores the files before it', async () => {
  await fc.assert(
    fc.asyncProperty(calls, fc.nat(), async (made, seed) => {
      const ordered = [...made].sort((one, other) => one.call - other.call)
      const workspace = await createWorkspace()
      try {
        writeFileSync(workspace.path('a.txt'), 'first')
        const read = readTool(workspace.host)
        const write = writeTool(workspace.host)
        const before = new Map<number, ReturnType<typeof snapshot>>()
        for (const { call, name: file_path, content } of ordered) {
          if (!before.has(call)) before.set(call, snapshot(workspace.root))
          const context = contextOf({ run: 'run', call: String(call) })
          if (existsSync(workspace.path(file_path))) await read.execute({ file_path }, context)
          await write.execute({ file_path, content }, context)
        }
        const ids = [...before.keys()]
        const from = seed % ids.length
        const checkpoints = createCheckpoints(workspace.host)
        const { files } = await checkpoints.undo('run', {
          calls: new Set(ids.slice(from).map(String)),
        })
        expect(files.filter(({ status }) => status === 'refused')).toEqual([])
        expect(snapshot(workspace.root)).toEqual(before.get(ids[from]!))
        const left = (await checkpoints.changes('run')).map(({ call }) => Number(call))
        expect(left.every((call) => call < ids[from]!)).toBe(true)
        await checkpoints.undo('run')
        expect(snapshot(workspace.root)).toEqual({ 'a.txt': 'first' })
      } finally {
        workspace.remove()
      }
    }),
    runs(100),
  )
})
