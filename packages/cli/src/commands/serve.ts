import { type Command, Option } from 'commander'
import { serveExamples, showExamples } from '../show/examples.ts'
import type { WorkspaceFlags } from '../open-workspace.ts'
import { colorsOf, type Terminal } from '../terminal.ts'
import type { SharedJournalFlags } from '../serve/shared-journal.ts'
import {
  portOf,
  addSharedJournalFlags,
  addExposeHome,
  addWord,
  addWorkspaceFlags,
} from './flags.ts'

/** The options of `serve`. */
export interface ServeFlags extends WorkspaceFlags, SharedJournalFlags {
  readonly port?: number
  readonly host?: string
  readonly dangerouslyListenEverywhere?: true
  readonly allowHost: readonly string[]
  readonly log: 'text' | 'json'
  readonly model?: string
  readonly protocol?: string
}

/** `toolglot serve`: the gateway for any client of the OpenAI API, and the HTTP API. */
export function addServe(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('serve')
    .description('serve models with tools as an OpenAI API, and runs over HTTP')
    .addOption(
      new Option(
        '--port <number>',
        'the port (default: the last one used, initially 4747); 0 for any free one',
      ).argParser(portOf),
    )
    .option('--host <address>', 'the IP address to listen on (default: this machine only)')
    .option(
      '--dangerously-listen-everywhere',
      'accept a --host such as 0.0.0.0, which is reachable from every network: for containers',
    )
    .option(
      '--allow-host <name>',
      'another name of this server, such as that of a proxy; can be repeated',
      addWord,
      [],
    )
    .addOption(
      new Option('--log <format>', 'the format of the log')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option(
      '-m, --model <model>',
      'the model named "default", such as ollama/qwen3:8b, or script for the demo (default: detected)',
    )
    .option(
      '-p, --protocol <id>',
      'how that model writes calls: an id, native, or auto (default: auto)',
    )
  addExposeHome(addWorkspaceFlags(addSharedJournalFlags(command)))
    .showHelpAfterError('Help: toolglot serve --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), serveExamples)}`)
    .action(async (flags: ServeFlags) => {
      // Imported here so that no other command has to load it.
      const { serve } = await import('../serve/serve.ts')
      await serve(flags, terminal)
    })
}
