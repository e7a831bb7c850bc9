import type { Command } from 'commander'
import { UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { type NamedFinding, runChecks } from '../doctor/check.ts'
import { checks } from '../doctor/checks/index.ts'
import { probe } from '../doctor/probe.ts'
import { Exit } from '../exit.ts'
import { type WorkspaceFlags, workspaceOf } from '../open-workspace.ts'
import { doctorExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { table } from '../show/text/table.ts'
import { type Colors, colorsOf, columnsOf, type Terminal, write } from '../terminal.ts'
import { addWorkspaceFlags } from './flags.ts'

interface Flags extends WorkspaceFlags {
  readonly json?: true
  readonly probe?: true
  readonly model?: string
}

/** `toolglot doctor`: checks the machine, or how well a model calls tools. */
export function addDoctor(program: Command, terminal: Terminal): void {
  const colors = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('doctor')
    .description('check this machine and suggest fixes; exit code 1 if something is broken')
  addWorkspaceFlags(command)
    .option('--json', 'print the results as JSON')
    .option('--probe', 'find the protocol that a model writes best, and save it for that model')
    .option('-m, --model <model>', 'the model to probe (default: the one in use)')
    .showHelpAfterError('Help: toolglot doctor --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), doctorExamples)}`)
    .action(async ({ json, probe: probes, model, ...flags }: Flags) => {
      if (model !== undefined && !probes)
        throw new UserError(
          'usage',
          '--model requires --probe. Add it, or use toolglot models test',
        )
      const workspace = await workspaceOf(flags, terminal)
      if (probes) return probe(workspace, { model, json }, terminal)
      const place = { workspace, terminal }
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
