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

/** A model that is ready for requests. */
export interface ConnectedModel {
  readonly model: Model
  readonly reference: string
  /** The reason for choosing this model. */
  readonly why: string
}

/** The model to use, and a way to ask the user. */
export interface WorkspaceModelOptions {
  /** The model selected by the user. */
  readonly named?: string | undefined
  /** The recorded model of a run, used if none is selected. */
  readonly before?: Pick<RunFacts, 'modelReference' | 'modelNamedBy'> | undefined
  /** Asks the user a question and returns the line they enter. Undefined if no user is present. */
  readonly ask?: ((question: string) => Promise<string | undefined>) | undefined
  readonly signal?: AbortSignal | undefined
  /** Called when connecting takes time. */
  readonly onProgress?: ConnectOptions['onProgress'] | undefined
  /** Facts about the model that were found earlier and that servers do not report. */
  readonly connection?:
    | Pick<ConnectOptions, 'fetch' | 'found' | 'native' | 'images' | 'prefill'>
    | undefined
  /** The size of the context requested by the user, in tokens. Default: from the settings. */
  readonly context?: number | undefined
}

/**
 * Connects to the selected model, or else to the model that is found. If none is found, returns the
 * reason.
 */
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
    // The settings of this connection take precedence over earlier findings.
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
      return connect(named, 'you chose it', 'person', found)
    }
    // Old runs did not record who selected the model.
    const { modelReference, modelNamedBy = 'folder' } = before ?? {}
    if (modelReference !== undefined)
      return connect(modelReference, 'used by this run before', modelNamedBy)
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

/**
 * Asks the user for consent to use a paid model, and saves it. Throws a UserError if the user
 * declines.
 */
async function agreeToPay(
  { reference, provider, name }: PaidModel,
  { directories, files }: Workspace,
  ask: WorkspaceModelOptions['ask'],
): Promise<void> {
  const question = `${name} costs money. Use ${reference}? You are asked once. [y/N] `
  if (!isYes(await ask?.(question))) {
    const why = ask ? 'you did not agree to use it' : 'nobody is present to agree'
    throw new UserError(
      'data',
      `${name} costs money, and ${why}. To agree permanently: toolglot models use ${reference}, or toolglot config set paidProviders ${provider}`,
    )
  }
  const before = files
    .filter(({ scope }) => scope === 'user')
    .flatMap((file) => settingValues(file, paidProviders))
    .flatMap(({ value }) => value)
  changeUserSettings(directories, 'paidProviders', [...before, provider])
}

/** The options for connecting to a model, from the workspace's settings. */
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
    // A user's key is never sent to a server from a folder's settings.
    key: namedBy === 'person' ? env['TOOLGLOT_API_KEY'] : undefined,
  }
}

/**
 * The running servers, if they are needed to interpret a name: `qwen3:8b`, or `openai/gpt-oss-20b`
 * in LM Studio.
 */
async function serversFor(
  name: string,
  { env }: Pick<Workspace, 'env'>,
  signal?: AbortSignal,
): Promise<FoundModels | undefined> {
  const kind = workspaceModelKinds.find((each) => each.matches(name.trim()))
  return kind && !kind.isPaid ? undefined : findModels({ env, signal })
}

/** A model that the user wants to use from now on. */
interface VerifiedModel {
  /** The reference in its stored form. */
  readonly reference: string
  /** A description of what could not be checked, for people. */
  readonly note: string | undefined
}

/**
 * Finds the model that the user selected and checks that it exists. Throws a UserError if it does
 * not.
 */
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

/** True if a user's answer to a question means yes. A missing answer means no. */
export function isYes(answer: string | undefined): boolean {
  return /^y(es)?$/i.test(answer?.trim() ?? '')
}
