import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Todo } from '@toolglot/agent'
import { makeFolder } from '@toolglot/agent/node/internal'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { z } from 'zod'
import type { Storage } from '../host/host.ts'

/** The schema of one todo. */
export const todoSchema: z.ZodType<Todo> = z.strictObject({
  content: z
    .string()
    .min(1)
    .max(2000)
    .describe('Description of the task, in the imperative: "Add tests".'),
  status: z
    .enum(['pending', 'in_progress', 'completed', 'cancelled'])
    .describe('Status of the task. At most one may be in_progress.'),
  activeForm: z
    .string()
    .min(1)
    .max(2000)
    .describe('Description of the task while it is in progress: "Adding tests".'),
})

const list = z.array(todoSchema)

/** Reads the todo list of a run; empty if the run has no list. */
export async function readTodos(storage: Storage, run?: string): Promise<readonly Todo[]> {
  const text = readSmallFile(fileOf(storage, run), MAX_BYTES)
  return text === undefined ? [] : list.parse(JSON.parse(text))
}

const MAX_BYTES = 16 << 20

/**
 * Replaces the todo list of a run atomically: even after a crash, readers see either the old list
 * or the new one.
 */
export async function writeTodos(
  storage: Storage,
  run: string | undefined,
  todos: readonly Todo[],
): Promise<void> {
  const file = fileOf(storage, run)
  if (todos.length === 0) return rm(file, { force: true })
  makeFolder(join(storage.folder, 'todos'))
  const draft = `${file}.${randomUUID()}`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(todos, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/**
 * Restores a run's list from its records, unless it already has one: a fork begins with the list of
 * its source.
 */
export async function restoreTodos(
  storage: Storage,
  run: string,
  remembered: unknown,
): Promise<void> {
  const { data: todos = [] } = list.safeParse(remembered)
  if (todos.length > 0 && !existsSync(fileOf(storage, run))) await writeTodos(storage, run, todos)
}

/** A run id may be any text, so one that is not safe as a file name is hashed. */
function fileOf({ folder }: Storage, run = 'none'): string {
  const name = /^[\w-]{1,100}$/.test(run) ? run : createHash('sha256').update(run).digest('hex')
  return join(folder, 'todos', `${name}.json`)
}
