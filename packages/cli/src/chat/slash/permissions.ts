import { readHistory } from '@toolglot/agent/internal'
import { placeOf } from '../../show/decision.ts'
import { table } from '../../show/text/table.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Session } from '../session.ts'
import type { SlashCommand } from './slash-command.ts'

export const permissions: SlashCommand = {
  name: 'permissions',
  about: 'show what runs without asking, what asks first, and what never runs',
  async run(session) {
    const { person, colors, setup } = session
    const { rules, mode = 'default', problems = [] } = setup.permissions
    const paints = { allow: colors.green, ask: colors.yellow, deny: colors.red }
    const allowed = await allowedInRun(session)
    const rows = [
      ...rules.map((rule) => ({ ...rule, place: placeOf(rule) })),
      ...allowed.map((text) => ({ verdict: 'allow' as const, text, place: '(this run)' })),
    ].map(({ verdict, text, place }) => [verdict, visibleLine(text), visibleLine(place).trim()])
    person.show(
      `Mode: ${mode}. Reading files in ${visibleLine(session.setup.fileSystem.cwd)} is allowed; anything else without a rule asks first.\n`,
    )
    person.show(
      table(rows, (cell, row, column) =>
        column === 0
          ? paints[rules[row]?.verdict ?? 'allow'](cell)
          : column === 2
            ? colors.dim(cell)
            : cell,
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

/** The rules that the user allowed for the rest of the run. They are in its records. */
async function allowedInRun({ setup, id }: Session): Promise<readonly string[]> {
  const { rules } = readHistory(await setup.journal.read(id))
  return [...new Set(rules)]
}
