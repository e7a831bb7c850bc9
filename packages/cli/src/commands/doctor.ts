import type { Command } from 'commander'
import { visibleLine } from '@toolglot/workspace/internal'
import { type NamedFinding, runChecks } from '../doctor/check.ts'
import { checks } from '../doctor/checks/index.ts'
import { Exit } from '../exit.ts'
import { workspaceOf } from '../open-workspace.ts'
import { doctorExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { table } from '../show/text/table.ts'
import { type Colors, colorsOf, columnsOf, type Terminal, write } from '../terminal.ts'

interface Flags {
  readonly json?: true
  readonly cwd?: string
}

/** `toolglot doctor`: checks the machine. */
export function addDoctor(program: Command, terminal: Terminal): void {
  const colors = colorsOf(terminal.output, terminal.env)
  program
    .command('doctor')
    .description('check this machine and suggest fixes; exit code 1 if something is broken')
    .option('--cwd <folder>', 'check another folder')
    .option('--json', 'print the results as JSON')
    .showHelpAfterError('Help: toolglot doctor --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), doctorExamples)}`)
    .action(async ({ json, cwd }: Flags) => {
      const place = { workspace: await workspaceOf({ cwd }, terminal), terminal }
      const found = await runChecks(checks, place)
      const text = json
        ? `${toJson(found, { indent: 2 })}\n`
        : show(found, colors, columnsOf(terminal.output))
      await write(terminal.output, text)
      if (found.some(({ status }) => status === 'broken')) throw new Exit(1)
    })
}

function show(found: readonly NamedFinding[], colors: Colors, edge: number): string {
  const paint = {
    ok: colors.green,
    warning: colors.yellow,
    missing: colors.dim,
    broken: colors.red,
  }
  const rows = found.flatMap(({ name, status, says, advice }) => [
    [status, name, visibleLine(says)],
    ...(advice === undefined ? [] : [['', '', visibleLine(advice)]]),
  ])
  return table(
    rows,
    (cell, _row, column) =>
      column === 0 && cell.trim() in paint
        ? paint[cell.trim() as NamedFinding['status']](cell)
        : cell,
    edge,
  )
}
