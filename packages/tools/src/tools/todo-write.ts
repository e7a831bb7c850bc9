import { type Todo, tool, type Tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import { restoreTodos, todoSchema, writeTodos } from './todo-list.ts'

const parameters = z.strictObject({
  todos: z
    .array(todoSchema)
    .max(200)
    .describe('The complete list, in order. It replaces the previous list.'),
})

/** Arguments of TodoWrite. */
export interface TodoWriteArguments {
  readonly todos: readonly Todo[]
}

/** The result of TodoWrite. */
export interface TodoWriteResult {
  readonly success: true
  readonly todos: readonly Todo[]
}

/** Creates the TodoWrite tool, which keeps the todo list of a run. */
export function todoWriteTool(
  host: Pick<Host, 'storage'>,
): Tool<TodoWriteArguments, TodoWriteResult> {
  return tool({
    name: 'TodoWrite',
    description:
      'Keep a todo list for work with several steps, and update it as you progress. Each call replaces the whole list; an empty list clears it.',
    parameters,
    access: canonicalTools.get('TodoWrite')!,
    level: 2,
    idempotent: true,

    async execute({ todos }, context) {
      const working = todos.filter(({ status }) => status === 'in_progress')
      if (working.length > 1)
        throw new ToolError(
          'invalid_input',
          `Only one todo can be in_progress, not ${working.length}. Finish one before starting the next, and send the whole list again.`,
        )
      context.signal.throwIfAborted()
      await writeTodos(host.storage, context.run, todos)
      context.progress({ type: 'todo', todos })
      context.remember?.(KEY, todos)
      return { success: true, todos }
    },

    show: ({ todos }) =>
      [summaryOf(todos), ...todos.map(({ status, content }) => `${MARKS[status]} ${content}`)].join(
        '\n',
      ),

    resume: (run, remembered) => restoreTodos(host.storage, run, remembered.get(KEY)),
  })
}

/** The key of the list in a run's records. */
const KEY = 'todos'

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]', cancelled: '[-]' } as const

function summaryOf(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'The todo list is empty.'
  const done = todos.filter(({ status }) => status === 'completed').length
  const now = todos.find(({ status }) => status === 'in_progress')
  return `${done} of ${todos.length} todos done${now ? `; now: ${now.activeForm}` : ''}.`
}
