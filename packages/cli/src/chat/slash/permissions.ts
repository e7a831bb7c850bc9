import { placeOf } from '../../show/decision.ts'
import { table } from '../../show/text/table.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import { permissionsOf } from '../turn.ts'
import type { SlashCommand } from './slash-command.ts'

export const permissions: SlashCommand = {
  name: 'permissions',
  about: 'show what runs without asking, what asks first, and what never runs',
  run(session) {
    const { person, colors } = session
    const { rules, mode = 'default', problems = [] } = permissionsOf(session)
    const paints = { allow: colors.green, ask: colors.yellow, deny: colors.red }
    const rows = rules.map((rule) => [
      rule.verdict,
      visibleLine(rule.text),
      visibleLine(placeOf(rule)).trim(),
    ])
    person.show(
      `Mode: ${mode}. Reading files in ${visibleLine(session.setup.fileSystem.cwd)} is allowed; anything else without a rule asks first.\n`,
    )
    person.show(
      table(rows, (cell, row, column) =>
        column === 0 ? paints[rules[row]!.verdict](cell) : column === 2 ? colors.dim(cell) : cell,
      ),
    )
    for (const { text, problem } of problems)
      person.show(`${colors.red('invalid')}  ${visibleLine(`${text}: ${problem}`)}\n`)
    person.show(
      colors.dim(
        'toolglot permit TOOL ARGUMENTS explains a decision; rules are set in settings files.\n',
      ),
    )
  },
}
