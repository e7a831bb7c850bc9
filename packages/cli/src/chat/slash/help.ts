import { table } from '../../show/text/table.ts'
import { columnsOf } from '../../terminal.ts'
import type { SlashCommand } from './slash-command.ts'

/** `/help`: lists the commands, including itself. */
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
  ['↑ ↓', 'go through your earlier prompts'],
]
