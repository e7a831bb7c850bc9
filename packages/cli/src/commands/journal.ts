import type { Command } from 'commander'
import { UserError } from '@toolglot/workspace'
import { journalUrl } from '../serve/shared-journal.ts'
import { journalExamples, showExamples } from '../show/examples.ts'
import { colorsOf, type Terminal, write } from '../terminal.ts'

/** `toolglot journal`: the journal on Postgres. */
export function addJournal(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const journal = program
    .command('journal')
    .description('create or upgrade a journal on Postgres, and see how it is')
    .showHelpAfterError('Help: toolglot journal --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), journalExamples)}`)
  journal
    .command('migrate')
    .description('create the tables of the journal, or upgrade them')
    .argument('[url]', 'such as postgres://user:password@host/database (default: TOOLGLOT_JOURNAL)')
    .action(async (named: string | undefined) => {
      const url = urlOf(named, terminal)
      const { migrateJournal } = await import('@toolglot/postgres')
      const { from, to } = await migrateJournal({ url }).catch(asUserError)
      const what =
        from === to ? 'is up to date' : from === 0 ? 'was created' : `was upgraded from ${from}`
      await write(terminal.output, `The journal ${what} (version ${to}).\n`)
    })
  journal
    .command('status')
    .description('count the runs that have not ended, and the processes that are alive')
    .argument('[url]', 'such as postgres://user:password@host/database (default: TOOLGLOT_JOURNAL)')
    .action(async (named: string | undefined) => {
      const url = urlOf(named, terminal)
      const { postgresJournal } = await import('@toolglot/postgres')
      const opened = postgresJournal({ url })
      try {
        const { processes, ...counts } = await opened.status().catch(asUserError)
        const lines = Object.entries({ ...counts, processes: processes - 1 })
        await write(
          terminal.output,
          lines.map(([name, count]) => `${name.padEnd(10)} ${count}\n`).join(''),
        )
      } finally {
        await opened.close()
      }
    })
}

function urlOf(named: string | undefined, terminal: Terminal): string {
  const url = journalUrl(named, terminal)
  if (url !== undefined) return url
  throw new UserError('usage', {
    expected: 'the URL of a journal, or TOOLGLOT_JOURNAL',
    got: 'neither',
    advice: 'toolglot journal migrate postgres://user:password@host/database',
  })
}

function asUserError(error: unknown): never {
  throw new UserError('data', (error as Error).message)
}
