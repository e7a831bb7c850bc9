import type { Command } from 'commander'
import { exportRun, importRuns, type Journal } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { countOf } from '../input/count.ts'
import { findRun } from '../input/find-run.ts'
import { fromFile, fromInput, textOf } from '../input/source.ts'
import { runsExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { showRuns } from '../show/runs.ts'
import { colorsOf, columnsOf, type Terminal, write } from '../terminal.ts'
import { addAnswer } from './runs/answer.ts'
import { addControl } from './runs/control.ts'
import { addFollow } from './runs/follow.ts'
import { addStats } from './runs/stats.ts'
import { addWaiting } from './runs/waiting.ts'
import { useJournal } from './use-journal.ts'

interface Flags {
  readonly json?: true
  readonly search?: string
  readonly limit?: number
}

/** `toolglot runs`: lists, manages and controls recorded runs. */
export function addRuns(program: Command, terminal: Terminal): void {
  const { output, env } = terminal
  const colors = colorsOf(output, env)
  const say = (text: string): Promise<void> => write(output, text)
  const withJournal = (work: (journal: Journal) => Promise<void>): Promise<void> =>
    useJournal(terminal, work)

  const runs = program
    .command('runs')
    .description('list the recorded runs, the latest first')
    .option('--search <text>', 'only runs with this text in their name, first prompt, model or id')
    .option('--limit <number>', 'at most this many (default: 20)', countOf)
    .option('--json', 'print the runs as JSON')
    .showHelpAfterError('Help: toolglot runs --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), runsExamples)}`)
    .action(({ json, search, limit = 20 }: Flags) =>
      withJournal(async (journal) => {
        const found = await journal.runs({ limit, ...(search !== undefined && { search }) })
        const options = { colors, columns: columnsOf(output), now: Date.now(), cwd: terminal.cwd }
        const text = showRuns(found, options)
        await say(json ? `${toJson(found, { indent: 2 })}\n` : text)
      }),
    )
  for (const add of [addWaiting, addAnswer, addFollow, addControl, addStats]) add(runs, terminal)
  runs
    .command('rename')
    .description('give a run a name')
    .argument('<run>', 'its id, its name, or last')
    .argument('<name>')
    .action((text: string, name: string) =>
      withJournal(async (journal) => {
        const { run } = await findRun(journal, text)
        await journal.rename(run, name)
        await say(`Renamed ${run} to ${visibleLine(name)}\n`)
      }),
    )
  runs
    .command('remove')
    .description('delete runs; their changes to files stay')
    .argument('<runs...>', 'their ids or names')
    .action((texts: string[]) =>
      withJournal(async (journal) => {
        for (const text of texts) {
          const { run } = await findRun(journal, text)
          await journal.remove(run)
          await say(`Deleted ${run}\n`)
        }
      }),
    )
  runs
    .command('keep')
    .description(
      'delete the oldest runs, except those with a name, in use, or waiting for an answer',
    )
    .option('--runs <number>', 'keep this many runs', countOf)
    .option('--days <number>', 'keep the runs of this many days', countOf)
    .action((cap: { runs?: number; days?: number }) => {
      if (cap.runs === undefined && cap.days === undefined) throw nothingToKeep()
      return withJournal(async (journal) => say(`Deleted: ${await journal.prune(cap)}\n`))
    })
  runs
    .command('export')
    .description('print a whole run as JSON Lines, including any secrets in it')
    .argument('<run>', 'its id, its name, or last')
    .action((text: string) =>
      withJournal(async (journal) => {
        const { run } = await findRun(journal, text)
        await say(await exportRun(journal, run))
      }),
    )
  runs
    .command('import')
    .description('import exported runs; they can be replayed, but not resumed')
    .argument('[file]', 'JSON Lines (default: piped input)')
    .action((file: string | undefined) =>
      withJournal(async (journal) => {
        const source = file === undefined ? fromInput(terminal) : fromFile(file, terminal)
        const ids = await importRuns(journal, await textOf(source))
        await say(ids.map((id) => `Imported ${visibleLine(id)}\n`).join(''))
      }),
    )
}

function nothingToKeep(): UserError {
  return new UserError('usage', {
    expected: '--runs or --days',
    got: 'neither',
    advice: 'try toolglot runs keep --days 90',
  })
}
