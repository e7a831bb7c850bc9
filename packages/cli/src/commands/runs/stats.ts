import type { Command } from 'commander'
import { startOfLastDays } from '@toolglot/agent/internal'
import { journalStatistics } from '@toolglot/agent/journal'
import { visibleLine } from '@toolglot/workspace/internal'
import { countOf } from '../../input/count.ts'
import { showStatistics } from '../../show/statistics.ts'
import { toJson } from '../../show/text/json.ts'
import { colorsOf, columnsOf, type Terminal, write } from '../../terminal.ts'
import { warn } from '../../warn.ts'
import { useJournal } from '../use-journal.ts'

/** `toolglot runs stats`: counts what happened in the recorded runs. */
export function addStats(runs: Command, terminal: Terminal): void {
  const { output, env } = terminal
  const options = { colors: colorsOf(output, env), columns: columnsOf(output) }
  runs
    .command('stats')
    .description('count turns, calls, errors, tokens and time by tool, model and protocol')
    .option('--days <number>', 'only the last days in UTC; 1 is today (default: all)', countOf)
    .option('--json', 'print the figures as JSON, by day too')
    .action(({ days }: { readonly days?: number }, command: Command) =>
      useJournal(terminal, async (journal) => {
        // `runs` has --json too, and takes it.
        const { json } = command.optsWithGlobals<{ json?: true }>()
        const found = await journalStatistics(journal, {
          ...(days !== undefined && { since: startOfLastDays(days) }),
          onUnreadable: (_, { message }) => warn(`not counted: ${visibleLine(message)}`, terminal),
        })
        await write(
          output,
          json ? `${toJson(found, { indent: 2 })}\n` : showStatistics(found, options),
        )
      }),
    )
}
