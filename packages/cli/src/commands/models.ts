import type { Command } from 'commander'
import type { Protocol } from '@toolglot/core'
import {
  changeUserSettings,
  chooseProtocols,
  connectWorkspaceModel,
  resolveProtocols,
  searchModels,
  tryModel,
  userDirectories,
  verifyWorkspaceModel,
  UserError,
  type Workspace,
  type ModelTrial,
} from '@toolglot/workspace'
import { asUserError, visibleLine, visible } from '@toolglot/workspace/internal'
import { type WorkspaceFlags, workspaceOf } from '../open-workspace.ts'
import { protocolName } from '../input/protocol-of-model.ts'
import { Exit } from '../exit.ts'
import { keyboardOf } from '../person/keyboard.ts'
import { pickModel } from '../person/pick.ts'
import { modelsExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { modelsJson, showModels } from '../show/models.ts'
import { showProgress } from '../run/choose-model.ts'
import { createStopSignal } from '../process-events.ts'
import { colorsOf, write, type Terminal, type Colors, warn } from '../terminal.ts'
import { addWorkspaceFlags } from './flags.ts'
import { table } from '../show/text/table.ts'

const HOW: Record<ModelTrial['by'], string> = {
  probe: 'found by toolglot doctor --probe',
  template: 'recognized by its chat template',
  name: 'recognized by its name',
  option: 'from --protocol',
  native: 'the server supports it',
  guess: 'a guess: its name and template are unknown',
}

interface Flags extends WorkspaceFlags {
  readonly json?: true
  readonly protocol?: string
}

/** `toolglot models`: lists, tests and selects models. */
export function addModels(program: Command, terminal: Terminal): void {
  const { output, env } = terminal
  const colors = colorsOf(output, env)
  const models = program
    .command('models')
    .description('list the available models, and show which one is used and why')
  addWorkspaceFlags(models)
    .option('--json', 'print the list as JSON')
    .showHelpAfterError('Help: toolglot models --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), modelsExamples)}`)
    .action(async ({ json, ...flags }: Flags) => {
      const search = await searchModels(await workspaceOf(flags, terminal))
      const text = json
        ? `${toJson(modelsJson(search), { indent: 2 })}\n`
        : showModels(search, colors)
      await write(output, text)
    })
  models
    .command('test')
    .description(
      'request one call from a model, and show whether it was read correctly and how long it took',
    )
    .argument('[model]', 'such as ollama/qwen3:8b (default: the one in use)')
    .option('-p, --protocol <id>', 'use this protocol')
    .option('--json', 'print the result as JSON')
    .action((named: string | undefined, _: Flags, command: Command) =>
      test(named, command.optsWithGlobals(), terminal),
    )
  models
    .command('use')
    .description('make a model the default in your settings, after checking that it is available')
    .argument('[model]', 'such as ollama/qwen3:8b or qwen3:8b (default: pick one from a list)')
    .action((named: string | undefined, _: Flags, command: Command) =>
      use(named, command.optsWithGlobals(), terminal),
    )
}

async function test(
  named: string | undefined,
  { json, protocol: id, ...flags }: Flags,
  terminal: Terminal,
): Promise<void> {
  const { output, env } = terminal
  const workspace = await workspaceOf(flags, terminal)
  const protocol = await protocolOf(id, workspace, terminal)
  const stop = createStopSignal()
  const { signal } = stop
  try {
    const chosen = await connectWorkspaceModel(workspace, {
      named,
      ask: terminal.ask,
      onProgress: showProgress(terminal),
      signal,
    })
    if (!chosen.model) {
      throw new UserError(
        'data',
        `No model: ${chosen.why}. Start a model server, or choose a model`,
      )
    }
    const { model, reference, why } = chosen
    const colors = colorsOf(output, env)
    if (!json) await write(output, `${colors.bold(visibleLine(reference))}: ${visibleLine(why)}\n`)
    const trial = await asUserError(() => tryModel(model, { signal, protocol }))
    const text = json
      ? `${toJson({ reference, why, ...trial }, { indent: 2 })}\n`
      : showTrial(trial, colors)
    await write(output, text)
    if (!trial.understood) throw new Exit(1)
  } finally {
    stop.forget()
  }
}

/** The requested protocol. Undefined: the model's own. */
async function protocolOf(
  id: string | undefined,
  workspace: Workspace,
  terminal: Terminal,
): Promise<Protocol | undefined> {
  if (id === undefined) return undefined
  const { ids, known } = await resolveProtocols([protocolName(id, terminal)], workspace)
  return chooseProtocols(ids, known).protocols?.[0]
}

async function use(named: string | undefined, flags: Flags, terminal: Terminal): Promise<void> {
  const { output, env } = terminal
  const workspace = await workspaceOf(flags, terminal)
  const name = named ?? (await pickedModel(workspace, terminal))
  const { reference, note } = await verifyWorkspaceModel(name, workspace)
  if (note !== undefined) warn(visibleLine(note), terminal)
  const file = changeUserSettings(userDirectories(env), 'model', reference)
  await write(
    output,
    `The default model is now ${visibleLine(reference)} (${visibleLine(file)}).\n`,
  )
  if (env['TOOLGLOT_MODEL']?.trim())
    await write(output, 'But TOOLGLOT_MODEL is set and takes precedence.\n')
}

async function pickedModel(workspace: Workspace, terminal: Terminal): Promise<string> {
  const search = await searchModels(workspace)
  const picked = await pickModel(search, { keyboard: keyboardOf(terminal) })
  // The user picked none of them.
  if (picked === undefined) throw new Exit(1)
  return picked
}

/** The result of `models test`, for people. */
function showTrial(trial: ModelTrial, { bold, dim, green, red, yellow }: Colors): string {
  const { first, total, tokens, estimated, perSecond, finish, understood, but, repairs } = trial
  const verdict =
    but === undefined ? red('not understood') : yellow(`understood, but ${visibleLine(but)}`)
  const rows = [
    ['protocol', `${trial.protocol ?? 'native function calling'} (${HOW[trial.by]})`],
    ['first chunk', `${first} ms`],
    ['whole reply', `${total} ms, finish: ${finish}`],
    ['tokens', `${estimated ? 'about ' : ''}${tokens}, ${perSecond} per second`],
    ['call', understood ? green('understood') : verdict],
    ...(repairs.length > 0 ? [['repaired', repairs.join(', ')]] : []),
  ]
  const shown = table(rows, (cell, _, column) => (column === 0 ? bold(cell) : cell))
  if (understood) return shown
  const reply = trial.reply.trim() === '' ? '(nothing)' : trial.reply.slice(0, 2000)
  return `${shown}\n${dim('The model wrote:')}\n${visible(reply)}\n`
}
