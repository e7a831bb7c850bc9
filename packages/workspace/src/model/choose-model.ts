import type { Model } from '@toolglot/agent'
import { chooseCallFormat, resumedFormat } from '@toolglot/agent/adapter/internal'
import { protocols, type Protocol } from '@toolglot/core'
import { DEMO, demoModel } from '../demo/demo-model.ts'
import { chooseProtocols, resolveProtocols } from '../protocols/known-protocols.ts'
import { UserError } from '../user-error.ts'
import { visibleLine } from '../visible.ts'
import type { Workspace } from '../workspace.ts'
import { connectWorkspaceModel, type WorkspaceModelOptions } from './connect-workspace-model.ts'

/** The model of a run, and the protocol it is asked to write. */
export interface ChosenModel {
  readonly model: Model
  readonly reference: string
  /** Why this one was chosen. */
  readonly why: string
  /** The protocol that was named; undefined: the model's own. */
  readonly protocol: Protocol | 'native' | undefined
}

/** The person's choices about the model, and how to ask them. */
export interface ChooseModelOptions extends Omit<WorkspaceModelOptions, 'named'> {
  /** The model that a person named. */
  readonly model?: string | undefined
  /** The protocol that a person named: an id, a file, `native` or `auto`. */
  readonly protocol?: string | undefined
  /** Throws a UserError if no model is found, in place of starting the demo script. */
  readonly required?: boolean | undefined
  /** How long the demo script waits between words, in milliseconds. Default: 0. */
  readonly pace?: number | undefined
}

/** The model that is named or found; without one, the built-in demo script, unless a model is required. */
export async function chooseWorkspaceModel(
  workspace: Workspace,
  options: ChooseModelOptions = {},
): Promise<ChosenModel> {
  const { model: named, before, ask, signal, connection, onProgress, context, pace = 0 } = options
  const protocol = await namedProtocol(options.protocol, workspace)
  if (named === DEMO) return demo('you named it', protocol, pace)
  if (named === undefined && before?.modelReference === DEMO)
    return demo('the run had it before', protocol, pace)
  if (
    named === undefined &&
    before?.modelReference === undefined &&
    workspace.env['TOOLGLOT_MODEL']?.trim() === DEMO
  )
    return demo('TOOLGLOT_MODEL names it', protocol, pace)
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
    `No model was found: ${visibleLine(why)}. Start a model server such as Ollama (ollama serve), set a key such as OPENAI_API_KEY, or name a model with --model. To see what was checked: toolglot models. To try the built-in demo, which is not an AI: --model ${DEMO}`,
  )
}

/** The protocol that a person named; undefined for `auto`. */
export async function namedProtocol(
  id: string | undefined,
  workspace: Workspace,
): Promise<ChosenModel['protocol']> {
  if (id === undefined || id === 'auto') return undefined
  if (id === 'native') return id
  const { ids, known } = await resolveProtocols([id], workspace)
  return chooseProtocols(ids, known).protocols?.[0]
}

/** The same model with another protocol. */
export function withProtocol(
  chosen: ChosenModel,
  protocol: ChosenModel['protocol'],
  { pace = 0 }: Pick<ChooseModelOptions, 'pace'> = {},
): ChosenModel {
  return chosen.reference === DEMO ? demo(chosen.why, protocol, pace) : { ...chosen, protocol }
}

/** The protocol requested from the model, for people, and the reason. `before`: the run that is resumed. */
export function describeProtocol(
  { model, protocol }: ChosenModel,
  before?: { readonly model?: string | undefined; readonly protocol?: string | undefined },
): {
  /** The id of the protocol, or words for function calling. */
  name: string
  /** The same, with how it is known if it was probed: `hermes (probed)`. */
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
