import { showTodos } from '../../show/run/todos.ts'
import type { SlashCommand } from './slash-command.ts'

export const todos: SlashCommand = {
  name: 'todos',
  about: 'show the todo list',
  async run({ setup: { host }, id, person, colors }) {
    const { readTodos } = await import('@toolglot/tools/internal')
    const list = await readTodos(host.storage, id)
    const lines = list.length > 0 ? showTodos(list, colors) : ['There are no todos.']
    person.show(lines.map((line) => `${line}\n`).join(''))
  },
}
