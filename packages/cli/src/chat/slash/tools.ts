import { table } from '../../show/text/table.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import { truncate } from '../../show/text/width.ts'
import { columnsOf } from '../../terminal.ts'
import type { SlashCommand } from './slash-command.ts'

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
