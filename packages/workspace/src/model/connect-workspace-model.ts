// Folder: The model of a workspace.
import type { Model, RunFacts } from '@toolglot/agent'
import {
  connectModel,
  type ConnectOptions,
  findModels,
  type FoundModels,
  parseReference,
  verifyModel,
} from '@toolglot/agent/models'
import { patientFetch } from '@toolglot/agent/node'
import { settingValues, type SettingsKey } from '../settings/keys/key.ts'
import { savedProtocol } from '../settings/keys/model-protocols.ts'
import { paidProviders, context, keepAlive, thinking } from '../settings/keys/model.ts'
import { comesWithFolder } from '../settings/merge-settings.ts'
import { changeUserSettings } from '../settings/user-settings.ts'
import { UserError } from '../user-error.ts'
import type { Workspace } from '../workspace.ts'
import { asUserError, searchModels } from './search-models.ts'
import { workspaceModelKinds } from './model-kinds.ts'

/** A model that is ready to be asked. */
export interface ConnectedModel {
  readonly model: Model
  readonly reference: string
  /** Why this one was chosen. */
  readonly why: string
}

/** Which model, and how a person is asked. */
export interface WorkspaceModelOptions {
  /** The model that a person named. */
  readonly named?: string | undefined
  /** The model that a run had before, as recorded: it is used if none is named. */
  readonly before?: Pick<RunFacts, 'modelReference' | 'modelNamedBy'> | undefined
  /** Asks a person a question and returns their line. Undefined: there is nobody to ask. */
  readonly ask?: ((question: string) => Promise<string | undefined>) | undefined
  readonly signal?: AbortSignal | undefined
  /** Called while connecting takes time. */
  readonly onProgress?: ConnectOptions['onProgress'] | undefined
  /** Facts about the model found before, which a server does not report. */
  readonly connection?:
    | Pick<ConnectOptions, 'fetch' | 'found' | 'native' | 'images' | 'prefill'>
    | undefined
  /** The size of the context that a person asked for, in tokens. Default: that of the settings. */
  readonly context?: number | undefined
}

/** Connects the model that is named, or else the one that is found; without one, says why there is none. */
export async function connectWorkspaceModel(
  workspace: Workspace,
  { named, before, ask, signal, connection, onProgress, context }: WorkspaceModelOptions = {},
): Promise<ConnectedModel | { readonly model: undefined; readonly why: string }> {
  const connect = async (
    reference: string,
    why: string,
    namedBy: 'person' | 'folder',
    found?: ConnectOptions['found'],
  ): Promise<ConnectedModel> => {
    const model = await connectModel(reference, {
      ...connectOptions(workspace, namedBy),
      onProgress,
      ...(context !== undefined && { context }),
      ...(ask && { confirm: async (question: string) => isYes(await ask(`${question} [y/N] `)) }),
      ...(signal && { signal }),
      ...connection,
      ...(found && { found }),
    })
    const stored = model.reference ?? reference
    // Settings of this connection take precedence over earlier findings.
    const probed =
      connection?.native === undefined ? savedProtocol(workspace.settings, stored) : undefined
    return {
      model: { ...model, namedBy, ...(probed && { probed }) },
      reference: stored,
      why,
    }
  }
  return asUserError(async () => {
    if (named !== undefined) {
      const found = await serversFor(named, workspace, signal)
      return connect(named, 'you named it', 'person', found)
    }
    // Who named the model of an old run is not known.
    const { modelReference, modelNamedBy = 'folder' } = before ?? {}
    if (modelReference !== undefined)
      return connect(modelReference, 'the run had it before', modelNamedBy)
    const { found, choice, saved } = await searchModels(workspace, { signal })
    if (choice.reference === undefined) return { model: undefined, why: choice.why }
    const { reference, costs } = choice
    if (costs) await agreeToPay({ reference, ...costs }, workspace, ask)
    const isFolders = found.named === undefined && saved !== undefined && comesWithFolder(saved)
    return connect(reference, choice.why, isFolders ? 'folder' : 'person', found)
  })
}

interface PaidModel {
  readonly reference: string
  readonly provider: string
  readonly name: string
}

/** Asks a person whether to use a paid model, and saves that they agreed. Throws a UserError if they do not. */
async function agreeToPay(
  { reference, provider, name }: PaidModel,
  { directories, files }: Workspace,
  ask: WorkspaceModelOptions['ask'],
): Promise<void> {
  const question = `${name} costs money. Use ${reference}? You are asked once. [y/N] `
  if (!isYes(await ask?.(question))) {
    throw new UserError('data', {
      expected: `your agreement to use ${name}, which costs money`,
      got: ask ? 'no' : 'nobody to ask',
      advice: `toolglot models use ${reference} agrees permanently, and so does toolglot config set paidProviders ${provider}`,
    })
  }
  const before = files
    .filter(({ scope }) => scope === 'user')
    .flatMap((file) => settingValues(file, paidProviders))
    .flatMap(({ value }) => value)
  changeUserSettings(directories, 'paidProviders', [...before, provider])
}

/** How a model is connected to in a workspace, as its settings say. */
function connectOptions(
  { env, folder, trust, settings }: Pick<Workspace, 'env' | 'folder' | 'trust' | 'settings'>,
  namedBy: 'person' | 'folder',
): ConnectOptions {
  const value = <Value>(key: SettingsKey<Value>): Value | undefined =>
    settingValues(settings, key)[0]?.value
  return {
    env,
    fetch: patientFetch,
    kinds: workspaceModelKinds,
    cwd: folder,
    home: env['HOME'],
    namedBy,
    isTrusted: trust === 'trusted',
    context: value(context),
    thinking: value(thinking),
    keepAlive: value(keepAlive),
    // A person's key is never sent to a server that a folder's settings name.
    key: namedBy === 'person' ? env['TOOLGLOT_API_KEY'] : undefined,
  }
}

/** The servers that run, if only they can tell what a name means: `qwen3:8b`, or `openai/gpt-oss-20b` in LM Studio. */
async function serversFor(
  name: string,
  { env }: Pick<Workspace, 'env'>,
  signal?: AbortSignal,
): Promise<FoundModels | undefined> {
  const kind = workspaceModelKinds.find((each) => each.matches(name.trim()))
  return kind && !kind.isPaid ? undefined : findModels({ env, signal })
}

/** A model that a person wants to use from now on. */
interface VerifiedModel {
  /** As it is stored. */
  readonly reference: string
  /** The parts that could not be checked, for people. */
  readonly note: string | undefined
}

/** Finds the model that a person means, and checks that it is there. Throws a UserError if it is not. */
export function verifyWorkspaceModel(
  name: string,
  workspace: Workspace,
  signal?: AbortSignal,
): Promise<VerifiedModel> {
  return asUserError(async () => {
    const found = await serversFor(name, workspace, signal)
    const options = {
      ...connectOptions(workspace, 'person'),
      ...(found && { found }),
      ...(signal && { signal }),
    }
    const reference = parseReference(name, options)
    return { reference, note: await verifyModel(reference, options) }
  })
}

/** Whether a person's answer to a question means yes. No answer does not. */
export function isYes(answer: string | undefined): boolean {
  return /^y(es)?$/i.test(answer?.trim() ?? '')
}
