import { readdirSync, statSync } from 'node:fs'
import { type Todo, ToolError } from '@toolglot/agent'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../test/memory.ts'
import { contextOf, tree } from '../../test/tree.ts'
import { readTodos, writeTodos } from './todo-list.ts'
import { todoWriteTool } from './todo-write.ts'
import { runs } from '../../../../tests/helpers/size.ts'

const todos: readonly Todo[] = [
  { content: 'Read it', status: 'completed', activeForm: 'Reading it' },
  { content: 'Fix it', status: 'in_progress', activeForm: 'Fixing it' },
  { content: 'Test it', status: 'pending', activeForm: 'Testing it' },
  { content: 'Sell it', status: 'cancelled', activeForm: 'Selling it' },
]

describe('TodoWrite', () => {
  test('replaces the list of its run, and stores it', async () => {
    const storage = { folder: tree() }
    const tool = todoWriteTool({ storage })
    const context = contextOf({ run: 'run-1' })
    const result = await tool.execute({ todos }, context)
    expect(result).toEqual({ success: true, todos })
    expect(context.notes).toEqual([JSON.stringify(todos)])
    expect(tool.show!(result, { todos })).toBe(
      '1 of 4 todos done; now: Fixing it.\n[x] Read it\n[>] Fix it\n[ ] Test it\n[-] Sell it',
    )
    expect(await readTodos(storage, 'run-1')).toEqual(todos)
    expect(await readTodos(storage, 'run-2')).toEqual([])
    expect(await readTodos(storage)).toEqual([])

    await tool.execute({ todos: todos.slice(0, 1) }, context)
    expect(await readTodos(storage, 'run-1')).toEqual(todos.slice(0, 1))
    expect(statSync(`${storage.folder}/todos/run-1.json`).mode & 0o077).toBe(0)
    await tool.execute({ todos: [] }, context)
    expect(await readTodos(storage, 'run-1')).toEqual([])
    await tool.execute({ todos: [] }, context)
  })

  test('refuses two in progress, and keeps the list', async () => {
    const storage = { folder: tree() }
    const tool = todoWriteTool({ storage })
    await tool.execute({ todos }, contextOf())
    const two = todos.map((todo) => ({ ...todo, status: 'in_progress' as const }))
    const failure = await Promise.resolve(tool.execute({ todos: two }, contextOf())).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(ToolError)
    expect(failure).toMatchObject({ errorType: 'invalid_input' })
    expect(await readTodos(storage)).toEqual(todos)
  })

  test('a fork begins with the list of its source, unless the run has its own', async () => {
    const storage = { folder: tree() }
    const tool = todoWriteTool({ storage })
    const { remember, remembered } = memory()
    await tool.execute({ todos }, contextOf({ run: 'run-1', remember }))
    await tool.resume!('fork', remembered())
    expect(await readTodos(storage, 'fork')).toEqual(todos)

    await tool.execute({ todos: todos.slice(0, 1) }, contextOf({ run: 'run-1' }))
    await tool.resume!('run-1', remembered())
    expect(await readTodos(storage, 'run-1')).toEqual(todos.slice(0, 1))

    await tool.execute({ todos: [] }, contextOf({ run: 'run-1', remember }))
    for (const odd of [remembered(), new Map(), new Map([['todos', [{ content: 7 }]]])]) {
      await tool.resume!('run-3', odd)
      expect(await readTodos(storage, 'run-3')).toEqual([])
    }
  })

  test('stores a separate list for any run id, inside the folder', async () => {
    const storage = { folder: tree() }
    const runs = ['..', '../x', 'a/b', '', 'x'.repeat(500), 'é', 'con', 'none']
    for (const run of runs)
      await writeTodos(storage, run, [{ ...todos[0]!, content: `of ${run.slice(0, 9)}.` }])
    for (const run of runs)
      expect((await readTodos(storage, run))[0]?.content).toBe(`of ${run.slice(0, 9)}.`)
    expect(readdirSync(storage.folder)).toEqual(['todos'])
    expect(readdirSync(`${storage.folder}/todos`)).toHaveLength(runs.length)
  })

  test('a reader during a write gets either the old list or the new one', async () => {
    const storage = { folder: tree() }
    const lists = [todos, todos.slice(0, 2)]
    await writeTodos(storage, 'run', todos)
    const writing = Promise.all(
      Array.from({ length: 40 }, (_, at) => writeTodos(storage, 'run', lists[at % 2]!)),
    )
    for (let times = 0; times < 40; times++)
      expect(lists).toContainEqual(await readTodos(storage, 'run'))
    await writing
    expect(readdirSync(`${storage.folder}/todos`)).toEqual(['run.json'])
  })

  test('reads what was written', async () => {
    const storage = { folder: tree() }
    const todo = fc.record({
      content: fc.string({ minLength: 1, unit: 'binary' }),
      status: fc.constantFrom(...(['pending', 'completed', 'cancelled'] as const)),
      activeForm: fc.string({ minLength: 1 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(todo), async (todos) => {
        await writeTodos(storage, 'run', todos)
        expect(await readTodos(storage, 'run')).toEqual(todos)
      }),
      runs(100),
    )
  })
})
