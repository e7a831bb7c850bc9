import type { Command } from 'commander'
import { replay, type RunEvent } from '@toolglot/agent'
import { redactAll } from '@toolglot/agent/internal'
import { findRun } from '../input/find-run.ts'
import { replayExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { showEnd } from '../show/run/end.ts'
import { createRunView } from '../show/run/run-view.ts'
import { colorsOf, type Terminal, write } from '../terminal.ts'
import { useJournal } from './runs.ts'

/** `toolglot replay`: shows a recorded run. */
export function addReplay(program: Command, terminal: Terminal): void {
  const { output, env } = terminal
  const colors = colorsOf(output, env)
  program
    .command('replay')
    .description('show a recorded run; nothing is executed')
    .argument('<run>', 'its id, its name, or last')
    .option('--json', 'print its events as JSON, one per line')
    .option('--raw', 'do not redact what looks like a secret')
    .showHelpAfterError('Help: toolglot replay --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), replayExamples)}`)
    .action((text: string, { json, raw }: { json?: true; raw?: true }) =>
      useJournal(terminal, async (journal) => {
        const { run } = await findRun(journal, text)
        const view = createRunView({ text: output, notes: output, env, isReplay: true })
        const show = async (event: RunEvent): Promise<void> => {
          if (json) return write(output, `${toJson(event)}\n`)
          view.show(event)
          if (event.type === 'run-end') output.write(showEnd(event, colors))
        }
        for (const event of replay(run, await journal.read(run)))
          await show(raw ? event : redactAll(event))
        if (!json) view.endLine()
      }),
    )
}
