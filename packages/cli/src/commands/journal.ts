import type { Command } from 'commander'
import { copyRuns } from '@toolglot/agent/journal'
import { openJournal, userDirectories, UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { journalUrl } from '../serve/shared-journal.ts'
import { journalExamples, showExamples } from '../show/examples.ts'
import { colorsOf, type Terminal, write, warn } from '../terminal.ts'

/** `toolglot journal`: the journal on Postgres. */
export function addJournal(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const journal = program
    .command('journal')
    .description('create a journal on Postgres, copy runs to it and check its status')
    .showHelpAfterError('Help: toolglot journal --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), journalExamples)}`)
  journal
    .command('migrate')
    .description(
      'create the tables of the journal; those of another version are moved to another schema',
    )
    .argument('[url]', 'such as postgres://user:password@host/database (default: TOOLGLOT_JOURNAL)')
    .action(async (named: string | undefined) => {
      const url = urlOf(named, terminal)
      const { migrateJournal } = await import('@toolglot/postgres')
      const { from, to, movedTo } = await migrateJournal({ url }).catch(asUserError)
      if (movedTo !== undefined)
        terminal.errors.write(
          `The journal of version ${from} was moved to the schema ${movedTo}; nothing was deleted.\n`,
        )
      const what = from === to ? 'is up to date' : 'was created'
      await write(terminal.output, `The journal ${what} (version ${to}).\n`)
    })
  journal
    .command('status')
    .description('count the unfinished runs and the active processes')
    .argument('[url]', 'such as postgres://user:password@host/database (default: TOOLGLOT_JOURNAL)')
    .action(async (named: string | undefined) => {
      const url = urlOf(named, terminal)
      const { postgresJournal } = await import('@toolglot/postgres')
      const opened = postgresJournal({ url })
      try {
        const { processes, ...counts } = await opened.status().catch(asUserError)
        // The opened journal of this command is one of the processes.
        const lines = Object.entries({ ...counts, processes: processes.length - 1 })
        await write(
          terminal.output,
          lines.map(([name, count]) => `${name.padEnd(10)} ${count}\n`).join(''),
        )
      } finally {
        await opened.close()
      }
    })
  journal
    .command('copy')
    .description('copy the runs of this machine to Postgres; can be repeated')
    .argument('[url]', 'such as postgres://user:password@host/database (default: TOOLGLOT_JOURNAL)')
    .option(
      '--unfinished',
      'also move unfinished runs: they are deleted here, so that they are not continued twice',
    )
    .action((named: string | undefined, flags: { readonly unfinished?: true }) =>
      copy(named, flags, terminal),
    )
}

/** Copies the runs of this user to Postgres. */
async function copy(
  named: string | undefined,
  { unfinished }: { readonly unfinished?: true },
  terminal: Terminal,
): Promise<void> {
  const url = urlOf(named, terminal)
  const { postgresJournal } = await import('@toolglot/postgres')
  const from = openJournal(userDirectories(terminal.env), (text) =>
    warn(visibleLine(text), terminal),
  )
  const to = postgresJournal({ url })
  const counts = { copied: 0, moved: 0, present: 0, left: 0 }
  try {
    for await (const { run, status, reason } of copyRuns(from, to, {
      unfinished: unfinished === true,
    })) {
      counts[status]++
      if (reason !== undefined)
        terminal.errors.write(`${visibleLine(`${run} was left: ${reason}`)}\n`)
    }
  } catch (error) {
    asUserError(error)
  } finally {
    await from.close()
    await to.close()
  }
  const { copied, moved, present, left } = counts
  await write(
    terminal.output,
    `copied     ${copied}\nmoved      ${moved}\npresent    ${present}\nleft       ${left}\n`,
  )
}

function urlOf(named: string | undefined, terminal: Terminal): string {
  const url = journalUrl(named, terminal)
  if (url !== undefined) return url
  throw new UserError(
    'usage',
    'No journal. Add its URL, or set TOOLGLOT_JOURNAL: toolglot journal migrate postgres://user:password@host/database',
  )
}

function asUserError(error: unknown): never {
  throw new UserError('data', (error as Error).message)
}
