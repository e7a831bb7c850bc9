import { resolve } from 'node:path'
import { Option, type Command } from 'commander'
import { familyOf, protocols, type Protocol } from '@toolglot/core'
import { checkProtocol, type LawReport } from '@toolglot/core/check'
import { type WorkspaceFlags, workspaceOf, workspaceWithWarnings } from '../open-workspace.ts'
import { Exit } from '../exit.ts'
import { knownProtocols, protocolsOfFile, type OwnProtocol } from '@toolglot/workspace'
import { protocolOfModel, protocolOfTemplate } from '../input/protocol-of-model.ts'
import { exampleCall } from '../show/reply/call.ts'
import { protocolsExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { colorsOf, write, type Colors, type Terminal } from '../terminal.ts'
import { addWorkspaceFlags } from './flags.ts'
import { quote, visibleLine } from '@toolglot/workspace/internal'

interface Flags extends WorkspaceFlags {
  readonly model?: string
  readonly template?: string
  readonly check?: string
  readonly json?: true
}

/** `toolglot protocols`: lists the protocols. */
export function addProtocols(program: Command, terminal: Terminal): void {
  const colors = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('protocols')
    .description('list the protocols: the ways in which models write calls')
    .option('-m, --model <name>', "only this model's protocol")
    .addOption(
      new Option('--template <file>', 'only the protocol of this chat template').conflicts('model'),
    )
    .addOption(
      new Option(
        '--check <file>',
        'check your own protocol against its examples and the laws',
      ).conflicts(['model', 'template']),
    )
  addWorkspaceFlags(command)
    .option('--json', 'print [{id, about, models, example}] as JSON')
    .showHelpAfterError('Help: toolglot protocols --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), protocolsExamples)}`)
    .action(async (flags: Flags) => {
      if (flags.check !== undefined) return check(flags.check, flags, terminal)
      const chosen = await choose(flags, terminal)
      await write(
        terminal.output,
        flags.json
          ? `${toJson(chosen.map(entryOf), { indent: 2 })}\n`
          : chosen.map((protocol) => showProtocol(protocol, colors)).join('\n'),
      )
    })
}

async function choose(
  { model, template, ...flags }: Flags,
  terminal: Terminal,
): Promise<Protocol[]> {
  if (model !== undefined) return [protocolOfModel(model)]
  if (template !== undefined) return [await protocolOfTemplate(template, terminal)]
  return [
    ...(await knownProtocols(await workspaceWithWarnings(flags, terminal))).own,
    ...Object.values(protocols),
  ]
}

async function check(path: string, { json, ...flags }: Flags, terminal: Terminal): Promise<void> {
  const { output, env } = terminal
  const workspace = await workspaceOf(flags, terminal)
  const checked = (await protocolsOfFile(resolve(terminal.cwd, path), workspace)).map((own) => ({
    own,
    reports: checkProtocol(own.protocol, own),
  }))
  await write(
    output,
    json
      ? `${toJson(
          checked.map(({ own, reports }) => ({ id: own.protocol.id, laws: reports })),
          { indent: 2 },
        )}\n`
      : checked
          .map(({ own, reports }) => showCheck(own, reports, colorsOf(output, env)))
          .join('\n'),
  )
  if (checked.some(({ reports }) => countBroken(reports) > 0)) throw new Exit(1)
}

interface Entry {
  readonly id: string
  readonly about: string
  readonly models: readonly string[]
  readonly example: string
}

function entryOf(protocol: Protocol): Entry {
  const { about, models = [] } = familyOf(protocol)
  const sources = models.map(({ source }) => source)
  return { id: protocol.id, about, models: sources, example: exampleCall(protocol) }
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

/** The laws that a protocol keeps, and those that it breaks. */
function showCheck(
  { protocol, file }: OwnProtocol,
  reports: readonly LawReport[],
  { bold, dim, green, red, yellow }: Colors,
): string {
  const lines = reports.flatMap(({ law, tried, failures, advice }) => {
    const mark = failures.length === 0 ? green('✓') : advice ? yellow('!') : red('✗')
    return [
      `${mark} ${law}  ${dim(`${tried} ${tried === 1 ? 'case' : 'cases'}`)}`,
      ...failures.flatMap(({ on, problem }) => [
        ...(on === '' ? [] : [`    on   ${quote(on)}`]),
        `    ${visibleLine(problem)}`,
      ]),
    ]
  })
  const broken = countBroken(reports)
  const end =
    broken === 0
      ? green('All laws hold.')
      : red(`${broken} ${broken === 1 ? 'law is' : 'laws are'} broken.`)
  return `${bold(protocol.id)}  ${dim(visibleLine(file))}\n${lines.join('\n')}\n${end}\n`
}

/** The number of broken mandatory laws. */
function countBroken(reports: readonly LawReport[]): number {
  return reports.filter(({ failures, advice }) => failures.length > 0 && !advice).length
}
