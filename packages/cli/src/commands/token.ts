import { type Command, Option } from 'commander'
import type { Scope, SharedTokens, Tokens } from '@toolglot/server/internal'
import { userDirectories, UserError } from '@toolglot/workspace'
import { quote, stateFolder } from '@toolglot/workspace/internal'
import { showExamples, tokenExamples } from '../show/examples.ts'
import { table } from '../show/text/table.ts'
import { colorsOf, type Terminal, write } from '../terminal.ts'

/** `toolglot token`: manages the tokens of the server. */
export function addToken(program: Command, terminal: Terminal): void {
  const { output, errors, env } = terminal
  const { bold } = colorsOf(output, env)
  const token = program
    .command('token')
    .description("print the server's token; create tokens for others")
    .option('--link', 'print a link that logs a browser in once, within ten minutes')
    .option(
      '--journal <url>',
      'use the tokens and logins of all servers with this journal on Postgres (default: TOOLGLOT_JOURNAL)',
    )
    .showHelpAfterError('Help: toolglot token --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), tokenExamples)}`)
    .action(async ({ link }: { readonly link?: true }) => {
      const printed = link ? await loginLink(terminal, journal()) : await use((all) => all.main())
      await write(output, `${printed}\n`)
    })
  const journal = (): string | undefined => token.opts<{ readonly journal?: string }>().journal
  const use = <Result>(work: UseTokens<Result>): Promise<Result> =>
    useTokens(journal(), terminal, work)
  token
    .command('create')
    .description('create a token and print it: it is shown only once')
    .argument('<name>', 'the name of the token, which appears in the log')
    .addOption(
      new Option('--scope <scope...>', 'what the token may be used for')
        .choices(['gateway', 'metrics', 'all'])
        .default(['gateway']),
    )
    .action(async (name: string, { scope }: { readonly scope: readonly Scope[] }) => {
      const created = await use((all) => all.create(name, scope))
      await write(output, `${created}\n`)
      await write(errors, `Save it now: it will not be shown again.\n`)
    })
  token
    .command('list')
    .description('list the tokens and their scopes')
    .action(async () => {
      const listed = await use((all) => all.list())
      const rows = listed.map(({ name, scopes, created }) => [
        name,
        scopes.join(', '),
        dayOf(created),
      ])
      await write(
        output,
        table(rows, (cell, _, column) => (column === 0 ? bold(cell) : cell)),
      )
    })
  token
    .command('revoke')
    .description('revoke a token')
    .argument('<name>', 'the name of the token')
    .action(async (name: string) => {
      if (!(await use((all) => all.revoke(name)))) {
        throw new UserError(
          'data',
          `No token named ${quote(name)}. ${name === 'main' ? 'Replace the main token with: toolglot token rotate' : 'List tokens with: toolglot token list'}`,
        )
      }
      await write(output, `${name} can no longer use the server.\n`)
    })
  token
    .command('rotate')
    .description('replace the main token, and print the new one')
    .action(async () => {
      const rotated = await use((all) => all.rotate())
      await write(output, `${rotated}\n`)
      await write(errors, 'The old token is no longer valid, and browsers are logged out.\n')
    })
}

type UseTokens<Result> = (all: Tokens | SharedTokens) => Result | Promise<Result>

/**
 * Applies an operation to the tokens of this machine and, if there is a shared journal, to the
 * shared ones.
 */
async function useTokens<Result>(
  journal: string | undefined,
  terminal: Terminal,
  work: UseTokens<Result>,
): Promise<Result> {
  const { env } = terminal
  // Imported here so that no other command has to load it.
  const { openTokens, sharedTokens } = await import('@toolglot/server/internal')
  const { useSharedValues } = await import('../serve/use-shared-values.ts')
  const stateFolderHere = stateFolder(userDirectories(env))
  const own = openTokens({ stateFolder: stateFolderHere, token: env['TOOLGLOT_TOKEN'] })
  return useSharedValues(journal, terminal, async (values) =>
    work(values ? sharedTokens(values, own) : own),
  )
}

async function loginLink(terminal: Terminal, journal: string | undefined): Promise<string> {
  const { findServer } = await import('../serve/running-server.ts')
  const server = await findServer(terminal, journal)
  if (!server) {
    throw new UserError('data', 'No server was ever started. Start one with: toolglot serve')
  }
  const { url, answers } = server
  if (answers !== 'toolglot') {
    throw new UserError(
      'data',
      `${answers === 'nobody' ? 'No server is running' : 'Another program answers'} at ${url}, the server's last address. Start the server with toolglot serve, which also prints a link`,
    )
  }
  return server.loginLink()
}

function dayOf(time: number | undefined): string {
  return time === undefined ? '' : new Date(time).toISOString().slice(0, 10)
}
