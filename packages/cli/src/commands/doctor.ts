import type { Command } from 'commander'
import { visibleLine } from '@toolglot/workspace/internal'
import { type NamedFinding, runChecks } from '../doctor/check.ts'
import { checks } from '../doctor/checks/index.ts'
import { Exit } from '../exit.ts'
import { type WorkspaceFlags, workspaceOf } from '../open-workspace.ts'
import { doctorExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { table } from '../show/text/table.ts'
import { type Colors, colorsOf, columnsOf, type Terminal, write } from '../terminal.ts'
import { addWorkspaceFlags } from './workspace-flags.ts'

interface Flags extends WorkspaceFlags {
  readonly json?: true
}

/** `toolglot doctor`: checks the machine. */
export function addDoctor(program: Command, terminal: Terminal): void {
  const colors = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('doctor')
    .description('check this machine and suggest fixes; exit code 1 if something is broken')
  addWorkspaceFlags(command)
    .option('--json', 'print the results as JSON')
    .showHelpAfterError('Help: toolglot doctor --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), doctorExamples)}`)
    .action(async ({ json, ...flags }: Flags) => {
      const place = { workspace: await workspaceOf(flags, terminal), terminal }
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
