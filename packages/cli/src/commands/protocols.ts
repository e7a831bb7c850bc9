import type { Command } from 'commander'
import { protocols, type Protocol } from '@toolglot/core'
import { exampleCall } from '../show/example-call.ts'
import { protocolsExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/json.ts'
import { colorsOf, write, type Colors, type Terminal } from '../terminal.ts'

/** `toolglot protocols`: what can be read. */
export function addProtocols(program: Command, terminal: Terminal): void {
  const colors = colorsOf(terminal.output, terminal.env)
  program
    .command('protocols')
    .description('list the protocols: who writes calls how')
    .option('--json', 'print [{id, about, models, example}] as JSON')
    .showHelpAfterError('Help: toolglot protocols --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), protocolsExamples)}`)
    .action(async ({ json }: { json?: true }) => {
      const all = Object.values(protocols)
      await write(
        terminal.output,
        json
          ? `${toJson(all.map(entryOf), { indent: 2 })}\n`
          : all.map((protocol) => showProtocol(protocol, colors)).join('\n'),
      )
    })
}

interface Entry {
  readonly id: string
  readonly about: string
  readonly models: readonly string[]
  readonly example: string
}

function entryOf(protocol: Protocol): Entry {
  const { id, about, models = [] } = protocol
  const sources = models.map(({ source }) => source)
  return { id, about, models: sources, example: exampleCall(protocol) }
}

function showProtocol(protocol: Protocol, colors: Colors): string {
  const { id, about, example } = entryOf(protocol)
  const lines = example.split('\n')
  return [
    `${colors.bold(id)}  ${about}`,
    ...lines.map((line) => `  ${colors.cyan(line)}`),
    '',
  ].join('\n')
}
