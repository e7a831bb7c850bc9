import { table } from '../../show/table.ts'
import { columnsOf } from '../../terminal.ts'
import type { SlashCommand } from './slash-command.ts'

/** Lists the commands, itself among them. */
export function helpOn(commands: () => readonly SlashCommand[]): SlashCommand {
  return {
    name: 'help',
    about: 'this list',
    run({ person, colors, terminal }) {
      const rows = commands().map(({ name, takes, about }) => [
        `/${name}${takes === undefined ? '' : ` ${takes}`}`,
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
  ['@file', 'brings a file along'],
  ['Alt-Enter, \\ Enter', 'a new line; a paste may have many'],
  ['Esc, Ctrl-C', 'stops the model; Ctrl-C again leaves, and so does Ctrl-D'],
  ['↑ ↓', 'what you wrote before'],
]
