import { deepEqual, equal } from 'node:assert/strict'
import { readTodos } from '../tools/todo-list.ts'
import { type Check, check } from './check.ts'

const todos = [
  {
    content: 'Implement user authentication',
    status: 'in_progress',
    activeForm: 'Implementing user authentication',
  },
  { content: 'Add unit tests', status: 'pending', activeForm: 'Adding unit tests' },
  { content: 'Read the ticket', status: 'completed', activeForm: 'Reading the ticket' },
]

/** Checks of TodoWrite. */
export const todo: readonly Check[] = [
  check('T2.1', 'TodoWrite: a list that outlives the session', async (context) => {
    equal((await context.result('TodoWrite', { todos }))['success'], true)
    const { storage } = await context.reopen()
    deepEqual(await readTodos(storage, context.run), todos)
  }),

  check('T2.1', 'TodoWrite: an unknown status', async ({ failure }) => {
    const odd = [{ ...todos[0], status: 'someday' }]
    equal((await failure('TodoWrite', { todos: odd })).error_type, 'invalid_input')
  }),
]
