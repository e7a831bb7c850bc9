import type { Command } from 'commander'
import { UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { printWarnings, workspaceForTools, type WorkspaceFlags } from '../open-workspace.ts'
import { openSharedJournal, type SharedJournalFlags } from '../serve/shared-journal.ts'
import { showExamples, workerExamples } from '../show/examples.ts'
import { createStopSignal, untilAborted } from '../process-events.ts'
import { colorsOf, type Terminal, warn } from '../terminal.ts'
import { addSharedJournalFlags, addExposeHome, addWorkspaceFlags } from './flags.ts'

/** `toolglot worker`: executes runs of a shared journal that no process is executing. */
export function addWorker(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('worker')
    .description('continue runs on Postgres whose server has stopped')
  addExposeHome(addWorkspaceFlags(addSharedJournalFlags(command)))
    .showHelpAfterError('Help: toolglot worker --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), workerExamples)}`)
    .action((flags: SharedJournalFlags & WorkspaceFlags) => work(flags, terminal))
}

/** Works until it is stopped, and then releases its runs. A second signal ends it immediately. */
async function work(flags: SharedJournalFlags & WorkspaceFlags, terminal: Terminal): Promise<void> {
  const { startWorker } = await import('@toolglot/server')
  const say = (text: string): void => void terminal.errors.write(`${visibleLine(text)}\n`)
  const warning = (text: string): void => warn(visibleLine(text), terminal)
  const onError = (error: unknown): void =>
    warning(error instanceof Error ? error.message : String(error))
  const workspace = await workspaceForTools(flags, terminal)
  printWarnings(workspace, terminal)
  const sharedJournal = await openSharedJournal(flags, { terminal, workspace, warn: warning })
  if (!sharedJournal)
    throw new UserError(
      'usage',
      'A worker requires --journal postgres://… or TOOLGLOT_JOURNAL. On one machine, toolglot serve continues the runs',
    )
  const stop = createStopSignal()
  process.on('unhandledRejection', onError)
  const worker = startWorker({
    workspace,
    sharedJournal,
    onRun: (run, what) => say(`${run} ${what}`),
    onError,
  })
  say(`Working as ${sharedJournal.machine}.`)
  try {
    await untilAborted(stop.signal)
    const count = worker.count()
    if (count > 0) say(`Releasing ${count === 1 ? '1 run' : `${count} runs`}.`)
  } finally {
    stop.forget()
    await worker.close()
    process.removeListener('unhandledRejection', onError)
  }
}
