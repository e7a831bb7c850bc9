import { type Todo, tool, type Tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import { todoSchema, writeTodos } from './todo-list.ts'

const parameters = z.strictObject({
  todos: z
    .array(todoSchema)
    .max(200)
    .describe('The whole list, in order; it replaces the last one'),
})

export interface TodoWriteArguments {
  readonly todos: readonly Todo[]
}

export interface TodoWriteResult {
  readonly success: true
  readonly todos: readonly Todo[]
}

/** Keeps the list of what a run has to do. */
export function todoWriteTool(
  host: Pick<Host, 'storage'>,
): Tool<TodoWriteArguments, TodoWriteResult> {
  return tool({
    name: 'TodoWrite',
    description:
      'Write down what is to be done in several steps, and how far it is. The list replaces the last one; an empty list clears it.',
    parameters,
    access: canonicalTools.get('TodoWrite')!,
    level: 2,
    idempotent: true,

    async execute({ todos }, context) {
      const working = todos.filter(({ status }) => status === 'in_progress')
      if (working.length > 1)
        throw new ToolError(
          'invalid_input',
          `Expected at most one todo in_progress, got ${working.length}. Finish one before the next, and send the whole list again.`,
        )
      context.signal.throwIfAborted()
      await writeTodos(host.storage, context.run, todos)
      context.progress({ type: 'todo', todos })
      return { success: true, todos }
    },

    show: ({ todos }) =>
      [summaryOf(todos), ...todos.map(({ status, content }) => `${MARKS[status]} ${content}`)].join(
        '\n',
      ),
  })
}

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]', cancelled: '[-]' } as const

function summaryOf(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'The list of todos is empty.'
  const done = todos.filter(({ status }) => status === 'completed').length
  const now = todos.find(({ status }) => status === 'in_progress')
  return `${done} of ${todos.length} todos done${now ? `; now: ${now.activeForm}` : ''}.`
}
