import { type Command, InvalidArgumentError } from 'commander'
import { exportRun, importRuns, type Journal, JournalError } from '@toolglot/agent/journal'
import { openJournal, userDirectories } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { CommandError } from '../command-error.ts'
import { findRun } from '../input/find-run.ts'
import { fromFile, fromInput, textOf } from '../input/source.ts'
import { runsExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/json.ts'
import { showRuns } from '../show/runs.ts'
import { colorsOf, type Terminal, write } from '../terminal.ts'

interface Asked {
  readonly json?: true
  readonly search?: string
  readonly limit?: number
}

/** `toolglot runs`: what was done before. */
export function addRuns(program: Command, terminal: Terminal): void {
  const { output, env } = terminal
  const colors = colorsOf(output, env)
  const say = (text: string): Promise<void> => write(output, text)
  const withJournal = (work: (journal: Journal) => Promise<void>): Promise<void> =>
    useJournal(terminal, work)

  const runs = program
    .command('runs')
    .description('list the runs that are recorded, the last one first')
    .option('--search <text>', 'only those with this in their name, first prompt, model or id')
    .option('--limit <number>', 'how many (default: 20)', countOf)
    .option('--json', 'print them as JSON')
    .showHelpAfterError('Help: toolglot runs --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), runsExamples)}`)
    .action(({ json, search, limit = 20 }: Asked) =>
      withJournal(async (journal) => {
        const found = await journal.runs({ limit, ...(search !== undefined && { search }) })
        const text = showRuns(found, { colors, now: Date.now() })
        await say(json ? `${toJson(found, { indent: 2 })}\n` : text)
      }),
    )
  runs
    .command('rename')
    .description('give a run a name')
    .argument('<run>', 'its id, its name, or last')
    .argument('<name>')
    .action((text: string, name: string) =>
      withJournal(async (journal) => {
        const { run } = await findRun(journal, text)
        await journal.rename(run, name)
        await say(`${run} is ${visibleLine(name)} now\n`)
      }),
    )
  runs
    .command('remove')
    .description('forget runs; what they changed in files stays')
    .argument('<runs...>', 'their ids or names')
    .action((texts: string[]) =>
      withJournal(async (journal) => {
        for (const text of texts) {
          const { run } = await findRun(journal, text)
          await journal.remove(run)
          await say(`${run} is forgotten\n`)
        }
      }),
    )
  runs
    .command('keep')
    .description('forget the oldest runs, but none that is open')
    .option('--runs <number>', 'how many are kept', countOf)
    .option('--days <number>', 'how many days they are kept', countOf)
    .action((cap: { runs?: number; days?: number }) => {
      if (cap.runs === undefined && cap.days === undefined) throw nothingToKeep()
      return withJournal(async (journal) => say(`${await journal.prune(cap)} forgotten\n`))
    })
  runs
    .command('export')
    .description('print a run as JSON Lines: all of it, secrets that it saw included')
    .argument('<run>', 'its id, its name, or last')
    .action((text: string) =>
      withJournal(async (journal) => {
        const { run } = await findRun(journal, text)
        await say(await exportRun(journal, run))
      }),
    )
  runs
    .command('import')
    .description('record runs that were exported elsewhere: to be read, not gone on with')
    .argument('[file]', 'JSON Lines (default: what is piped in)')
    .action((file: string | undefined) =>
      withJournal(async (journal) => {
        const source = file === undefined ? fromInput(terminal) : fromFile(file, terminal)
        const ids = await importRuns(journal, await textOf(source))
        await say(ids.map((id) => `${visibleLine(id)} is recorded\n`).join(''))
      }),
    )
}

/** Tells what the journal refuses as a command does. */
export async function useJournal(
  terminal: Terminal,
  work: (journal: Journal) => Promise<void>,
): Promise<void> {
  const journal = openJournal(userDirectories(terminal.env))
  try {
    await work(journal)
  } catch (error) {
    // A run that is open, a disk that is full, lines that are no run.
    if (!(error instanceof JournalError || error instanceof TypeError)) throw error
    throw new CommandError('data', {
      expected: 'that to work',
      got: `this: ${visibleLine(error.message.replace(/\.$/, ''))}`,
      advice: 'nothing was changed',
    })
  } finally {
    await journal.close()
  }
}

function nothingToKeep(): CommandError {
  return new CommandError('usage', {
    expected: '--runs or --days',
    got: 'neither',
    advice: 'try toolglot runs keep --days 90',
  })
}

function countOf(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('Expected a whole number above 0.')
  return count
}
