import type { Command } from 'commander'
import { type OpenTools, openTools, UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import { Exit } from '../exit.ts'
import { findRun } from '../input/find-run.ts'
import { workspaceOf } from '../open-workspace.ts'
import { showExamples, undoExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { showUndone } from '../show/undone.ts'
import { colorsOf, write, type Terminal } from '../terminal.ts'
import { useJournal } from './use-journal.ts'

/** `toolglot undo`: undoes the file changes of a run. */
export function addUndo(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  program
    .command('undo')
    .description(
      'undo the file changes of Write and Edit in a run; skip files that have changed since',
    )
    .argument('<run>', 'its id, its name, or last; exec and mcp print their ids')
    .option('--json', 'print the result for each file as JSON')
    .showHelpAfterError('Help: toolglot undo --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), undoExamples)}`)
    .action((run: string, { json }: { json?: true }) => undo(run, json ?? false, terminal))
}

async function undo(named: string, json: boolean, terminal: Terminal): Promise<void> {
  const workspace = await workspaceOf({}, terminal)
  const { checkpoints, close } = await openTools(workspace, { canonicalOnly: true })
  try {
    await undoWith(checkpoints, named, json, terminal)
  } finally {
    await close()
  }
}

async function undoWith(
  checkpoints: OpenTools['checkpoints'],
  named: string,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const hasChanged = async (run: string): Promise<boolean> =>
    (await checkpoints.changes(run)).length > 0
  // The runs of `exec` and `mcp` are not in the journal.
  const run = (await hasChanged(named)) ? named : await recorded(named, terminal)
  if (!(await hasChanged(run))) {
    throw new UserError(
      'data',
      `Nothing to undo: ${quote(run)} changed no files. See its events with: toolglot replay`,
    )
  }
  const { files } = await checkpoints.undo(run)
  await write(
    terminal.output,
    json ? `${toJson(files, { indent: 2 })}\n` : files.map(showUndone).join(''),
  )
  if (files.some(({ status }) => status === 'refused')) throw new Exit(1)
}

async function recorded(named: string, terminal: Terminal): Promise<string> {
  let run = named
  await useJournal(terminal, async (journal) => {
    run = (await findRun(journal, named)).run
  })
  return run
}
