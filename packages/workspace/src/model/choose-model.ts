import type { Model } from '@toolglot/agent'
import { chooseCallFormat, resumedFormat } from '@toolglot/agent/adapter/internal'
import { protocols, type Protocol } from '@toolglot/core'
import { DEMO, demoModel } from '../demo/demo-model.ts'
import { chooseProtocols, resolveProtocols } from '../protocols/known-protocols.ts'
import { UserError } from '../user-error.ts'
import { visibleLine } from '../visible.ts'
import type { Workspace } from '../workspace.ts'
import { connectWorkspaceModel, type WorkspaceModelOptions } from './connect-workspace-model.ts'

/** The model of a run, and the protocol that it is prompted to use. */
export interface ChosenModel {
  readonly model: Model
  readonly reference: string
  /** The reason for the choice. */
  readonly why: string
  /** The selected protocol. Undefined for the model's own. */
  readonly protocol: Protocol | 'native' | undefined
}

/** The user's choices about the model, and a way to ask the user. */
export interface ChooseModelOptions extends Omit<WorkspaceModelOptions, 'named'> {
  /** The model selected by the user. */
  readonly model?: string | undefined
  /** The protocol selected by the user: an id, a file, `native` or `auto`. */
  readonly protocol?: string | undefined
  /** Throw a UserError if no model is found, instead of using the demo script. */
  readonly required?: boolean | undefined
  /** The pause between words of the demo script, in milliseconds. Default: 0. */
  readonly pace?: number | undefined
}

/**
 * Connects to the selected or found model. If no model is found, uses the built-in demo script
 * unless a model is required.
 */
export async function chooseWorkspaceModel(
  workspace: Workspace,
  options: ChooseModelOptions = {},
): Promise<ChosenModel> {
  const { model: named, before, ask, signal, connection, onProgress, context, pace = 0 } = options
  const protocol = await namedProtocol(options.protocol, workspace)
  if (named === DEMO) return demo('you chose it', protocol, pace)
  if (named === undefined && before?.modelReference === DEMO)
    return demo('used by this run before', protocol, pace)
  if (
    named === undefined &&
    before?.modelReference === undefined &&
    workspace.env['TOOLGLOT_MODEL']?.trim() === DEMO
  )
    return demo('set by TOOLGLOT_MODEL', protocol, pace)
  const connected = await connectWorkspaceModel(workspace, {
    named,
    before,
    ask,
    signal,
    connection,
    onProgress,
    context,
  })
  if (connected.model) return { ...connected, protocol }
  if (options.required) throw noModel(connected.why)
  return demo(connected.why, protocol, pace)
}

function noModel(why: string): UserError {
  return new UserError(
    'data',
    `No model was found: ${visibleLine(why)}. Start a model server such as Ollama (ollama serve), set a key such as OPENAI_API_KEY, or choose a model with --model. To see the servers checked: toolglot models. To try the built-in demo, which is not an AI: --model ${DEMO}`,
  )
}

/** The protocol selected by the user. Undefined for `auto`. */
export async function namedProtocol(
  id: string | undefined,
  workspace: Workspace,
): Promise<ChosenModel['protocol']> {
  if (id === undefined || id === 'auto') return undefined
  if (id === 'native') return id
  const { ids, known } = await resolveProtocols([id], workspace)
  return chooseProtocols(ids, known).protocols?.[0]
}

/** Returns the model with a different protocol. */
export function withProtocol(
  chosen: ChosenModel,
  protocol: ChosenModel['protocol'],
  { pace = 0 }: Pick<ChooseModelOptions, 'pace'> = {},
): ChosenModel {
  return chosen.reference === DEMO ? demo(chosen.why, protocol, pace) : { ...chosen, protocol }
}

/**
 * The name of the protocol for people, and the reason for choosing it. `before` is the run to
 * resume.
 */
export function describeProtocol(
  { model, protocol }: ChosenModel,
  before?: { readonly model?: string | undefined; readonly protocol?: string | undefined },
): {
  /** The id of the protocol, or a description of function calling. */
  name: string
  /** The name, marked if it was found by probing: `hermes (probed)`. */
  label: string
  isGuess: boolean
} {
  const chosen = chooseCallFormat(model, protocol)
  const format = protocol === undefined ? resumedFormat(chosen, model, before) : chosen
  const name = format.protocol?.id ?? 'its own function calling'
  const { probed } = model
  const id = probed === 'native' ? undefined : probed?.id
  const isProbed = protocol === undefined && probed !== undefined && format.protocol?.id === id
  return { name, label: isProbed ? `${name} (probed)` : name, isGuess: format.guessed }
}

function demo(why: string, named: ChosenModel['protocol'], pace: number): ChosenModel {
  const protocol = named ?? protocols.hermes
  const model = demoModel({ protocol: protocol === 'native' ? undefined : protocol, pace })
  return { model: { ...model, reference: DEMO }, reference: DEMO, why, protocol }
}
