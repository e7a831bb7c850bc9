import { Option, type Command } from 'commander'
import { protocols, type Protocol } from '@toolglot/core'
import { protocolOfModel, protocolOfTemplate } from '../read/model.ts'
import { exampleCall } from '../show/example-call.ts'
import { protocolsExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/json.ts'
import { colorsOf, write, type Colors, type Terminal } from '../terminal.ts'

interface Asked {
  readonly model?: string
  readonly template?: string
  readonly json?: true
}

/** `toolglot protocols`: what can be read. */
export function addProtocols(program: Command, terminal: Terminal): void {
  const colors = colorsOf(terminal.output, terminal.env)
  program
    .command('protocols')
    .description('list the protocols: who writes calls how')
    .option('-m, --model <name>', 'only the one that this model writes')
    .addOption(
      new Option('--template <file>', 'only the one that this chat template shows').conflicts(
        'model',
      ),
    )
    .option('--json', 'print [{id, about, models, example}] as JSON')
    .showHelpAfterError('Help: toolglot protocols --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), protocolsExamples)}`)
    .action(async (asked: Asked) => {
      const chosen = await choose(asked, terminal)
      await write(
        terminal.output,
        asked.json
          ? `${toJson(chosen.map(entryOf), { indent: 2 })}\n`
          : chosen.map((protocol) => showProtocol(protocol, colors)).join('\n'),
      )
    })
}

async function choose({ model, template }: Asked, terminal: Terminal): Promise<Protocol[]> {
  if (model !== undefined) return [protocolOfModel(model)]
  if (template !== undefined) return [await protocolOfTemplate(template, terminal)]
  return Object.values(protocols)
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
