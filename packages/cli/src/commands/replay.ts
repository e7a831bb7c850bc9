import type { Command } from 'commander'
import { replay } from '@toolglot/agent'
import { redactAll } from '@toolglot/agent/internal'
import { findRun, requestsOf } from '../input/find-run.ts'
import { replayExamples, showExamples } from '../show/examples.ts'
import { showWaiting } from '../show/waiting.ts'
import { colorsOf, columnsOf, type Terminal } from '../terminal.ts'
import { createRecordedView } from './recorded-view.ts'
import { useJournal } from './use-journal.ts'

/** `toolglot replay`: shows a recorded run. */
export function addReplay(program: Command, terminal: Terminal): void {
  const { output, env } = terminal
  const colors = colorsOf(output, env)
  program
    .command('replay')
    .description('show a recorded run; nothing is executed')
    .argument('<run>', 'its id, its name, or last')
    .option('--json', 'print its events as JSON, one per line')
    .option('--raw', 'do not redact likely secrets')
    .showHelpAfterError('Help: toolglot replay --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), replayExamples)}`)
    .action((text: string, flags: { json?: true; raw?: true }) =>
      useJournal(terminal, async (journal) => {
        const summary = await findRun(journal, text)
        const { run } = summary
        const view = createRecordedView(terminal, { ...flags, journal })
        for (const event of replay(run, await journal.read(run))) await view.show(event)
        view.end()
        const requests = flags.json ? [] : await requestsOf(journal, run)
        if (requests.length === 0) return
        const options = { colors, columns: columnsOf(output), now: Date.now() }
        const shown = flags.raw ? requests : redactAll(requests)
        output.write(`\n${showWaiting(shown, new Map([[run, summary]]), options)}`)
      }),
    )
}
