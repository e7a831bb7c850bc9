import type { Task } from '../task.ts'

/** Writes a todo list and completes the first item. */
export const todos: Task = {
  example: 'Make a todo list',
  match: (prompt) =>
    /\btodos?\b|\bto-do\b|việc cần làm|待办/i.test(prompt) &&
    !/\b(search|grep|find)\b/i.test(prompt)
      ? 'todos'
      : undefined,
  next: (_, results) => {
    const done = results.length
    const now = `${done} of ${STEPS.length}`
    if (done > 1) return { say: `The list is done. TodoWrite returned:\n${results.at(-1)!}` }
    return {
      say: done === 0 ? "I'll write a todo list." : `The first item is done: ${now}.`,
      name: 'TodoWrite',
      args: {
        todos: STEPS.map(([content, activeForm], at) => ({
          content,
          activeForm,
          status: at < done ? 'completed' : at === done ? 'in_progress' : 'pending',
        })),
      },
    }
  },
}

const STEPS = [
  ['Write a list', 'Writing a list'],
  ['Connect a model', 'Connecting a model'],
  ['Ask it something hard', 'Asking it something hard'],
] as const
