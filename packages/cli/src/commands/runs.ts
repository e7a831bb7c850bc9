import { type Command, InvalidArgumentError } from 'commander'
import { exportRun, importRuns, type Journal, journalStatistics } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { findRun, requestsOf } from '../input/find-run.ts'
import { fromFile, fromInput, textOf } from '../input/source.ts'
import { runsExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { showRuns } from '../show/runs.ts'
import { colorsOf, columnsOf, type Terminal, write, warn } from '../terminal.ts'
import { addAnswer } from './runs/answer.ts'
import { addControl, addFollow } from './runs/control.ts'
import { useJournal } from './use-journal.ts'
import { startOfLastDays } from '@toolglot/agent/internal'
import { showStatistics } from '../show/statistics.ts'
import { showWaiting } from '../show/waiting.ts'

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
        const found = await journal.runs({ limit, search })
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
    .description('delete runs; their changes to files are kept')
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
    .description('print a complete run as JSON Lines, including any secrets in it')
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
  return new UserError('usage', 'Choose --runs or --days, such as: toolglot runs keep --days 90')
}

/** `toolglot runs stats`: shows statistics of the recorded runs. */
function addStats(runs: Command, terminal: Terminal): void {
  const { output, env } = terminal
  const options = { colors: colorsOf(output, env), columns: columnsOf(output) }
  runs
    .command('stats')
    .description('count turns, calls, errors, tokens and time by tool, model and protocol')
    .option('--days <number>', 'only the last days, in UTC; 1 is today (default: all)', countOf)
    .option('--json', 'print the figures as JSON, including figures by day')
    .action(({ days }: { readonly days?: number }, command: Command) =>
      useJournal(terminal, async (journal) => {
        // `runs` also has --json, and parses it first.
        const { json } = command.optsWithGlobals<{ json?: true }>()
        const found = await journalStatistics(journal, {
          since: days === undefined ? undefined : startOfLastDays(days),
          onUnreadable: (_, { message }) => warn(`not counted: ${visibleLine(message)}`, terminal),
        })
        await write(
          output,
          json ? `${toJson(found, { indent: 2 })}\n` : showStatistics(found, options),
        )
      }),
    )
}

/** `toolglot runs waiting`: lists the pending requests of runs. */
function addWaiting(runs: Command, terminal: Terminal): void {
  const { output, env } = terminal
  const options = { colors: colorsOf(output, env), columns: columnsOf(output) }
  runs
    .command('waiting')
    .description('list pending requests: calls to approve, and questions')
    .argument('[run]', 'only requests of this run: its id, its name, or last')
    .option('--json', 'print the requests as JSON')
    .action((text: string | undefined, _: object, command: Command) =>
      useJournal(terminal, async (journal) => {
        // `runs` also has --json, and parses it first.
        const { json } = command.optsWithGlobals<{ json?: true }>()
        const found = text === undefined ? undefined : await findRun(journal, text)
        const requests = await requestsOf(journal, found?.run)
        const all = found ? [found] : await journal.runs({ limit: Number.MAX_SAFE_INTEGER })
        const summaries = new Map(all.map((summary) => [summary.run, summary]))
        if (!json)
          return write(output, showWaiting(requests, summaries, { ...options, now: Date.now() }))
        const named = requests.map((request) => ({
          ...request,
          name: summaries.get(request.run)?.name,
        }))
        await write(output, `${toJson(named, { indent: 2 })}\n`)
      }),
    )
}

/** Parses a positive integer. */
function countOf(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a positive integer.')
  return count
}
