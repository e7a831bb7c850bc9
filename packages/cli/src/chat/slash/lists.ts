import { table, truncate } from '../../show/text/table.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import { columnsOf } from '../../terminal.ts'
import type { SlashCommand } from './slash-command.ts'
import { showTodos } from '../../show/run/call-line.ts'

export const tools: SlashCommand = {
  name: 'tools',
  about: 'list the tools that the model can call',
  run({ person, colors, setup, terminal }) {
    const room = columnsOf(terminal.output) - 24
    const rows = [...setup.tools.values()].map(({ name, description }) => [
      visibleLine(name),
      truncate(visibleLine(description.split('\n', 1)[0]!), Math.max(20, room)),
    ])
    person.show(
      table(rows, (cell, _, column) => (column === 0 ? colors.bold(cell) : colors.dim(cell))),
    )
  },
}

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

/** `/help`: lists all commands, including itself. */
export function helpCommand(commands: () => readonly SlashCommand[]): SlashCommand {
  return {
    name: 'help',
    about: 'show this list',
    run({ person, colors, terminal }) {
      const rows = commands().map(({ name, argument, about }) => [
        `/${name}${argument === undefined ? '' : ` ${argument}`}`,
        about,
      ])
      const paint = (cell: string, _: number, column: number): string =>
        column === 0 ? colors.bold(cell) : cell
      const edge = columnsOf(terminal.output)
      person.show(`${table(rows, paint, edge)}\n${table(KEYS, paint, edge)}`)
    },
  }
}

const KEYS = [
  ['@file', 'attach a file'],
  ['Alt-Enter, \\ Enter', 'start a new line (pasted text can have many)'],
  ['Esc, Ctrl-C', 'stop the model; press Ctrl-C again or Ctrl-D to leave'],
  ['↑ ↓', 'browse your earlier prompts'],
]
