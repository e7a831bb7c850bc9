// Folder: The models of a workspace.

import { chooseCallFormat } from '@toolglot/agent/adapter/internal'
import { parseReference } from '@toolglot/agent/models'
import {
  chooseWorkspaceModel,
  type ChosenModel,
  DEMO,
  type ModelSearch,
  searchModels,
  UserError,
  type Workspace,
} from '@toolglot/workspace'
import {
  asUserError,
  type GatewayModelSettings,
  gatewaySettings,
} from '@toolglot/workspace/internal'
import { GatewayError } from '../gateway/gateway-error.ts'
import type { GatewayModel, GatewayModels, ListedModel } from '../gateway/models.ts'
import { createCache } from './cache.ts'

/** The model named `default`, and a callback for its changes. */
export interface WorkspaceModelsOptions {
  /** The default model. Default: the model from the settings, or one that is found. */
  readonly model?: string | undefined
  /** The protocol of the default model: an id, `native` or `auto`. */
  readonly protocol?: string | undefined
  /** Called when `default` changes to another model. */
  readonly onDefault?: ((chosen: ChosenModel) => void) | undefined
  /** Returns the time in milliseconds. For tests. */
  readonly now?: (() => number) | undefined
}

/**
 * The models that a workspace offers to clients: those in the settings, the default model, models
 * on running local servers, and models of paid providers to which the user agreed. A client selects
 * a model by name, but can't set its address.
 */
export function workspaceModels(
  workspace: Workspace,
  { model, protocol, onDefault, now }: WorkspaceModelsOptions = {},
): GatewayModels {
  const named = new Map(Object.entries(gatewaySettings(workspace.settings).models))
  const ownDefault: GatewayModelSettings = { model: 'default' }
  const searches = createCache<ModelSearch>(1, now)
  const connections = createCache<GatewayModel>(MAX_CONNECTIONS, now)
  let lastDefault: string | undefined

  return {
    async list(signal) {
      const { found, paid } = await search(signal)
      const settings = [...named].filter(([name]) => name !== '*')
      const all: ListedModel[] = [
        { name: 'default', owner: 'toolglot' },
        ...settings.map(([name, each]) => ({ name, owner: ownerOf(each.model) })),
        ...found.servers.flatMap(({ id, models }) =>
          models.map((each) => ({ name: `${id}/${each.name}`, owner: id })),
        ),
        ...found.keys
          .filter(({ provider }) => paid.includes(provider))
          .map(({ provider, usual }) => ({ name: `${provider}/${usual}`, owner: provider })),
      ]
      return all.filter(({ name }, at) => all.findIndex((each) => each.name === name) === at)
    },

    async find(name, signal) {
      const own = settingsOf(name) ?? (name === 'default' ? ownDefault : undefined)
      if (own) return connect(`settings ${name}`, own, signal)
      const any = settingsOf('*')
      const reference = await search(signal).then(
        (result) => referenceOf(name, result),
        (error: unknown) => {
          // If the search fails, the settings for `*` still apply.
          if (!any || !(error instanceof GatewayError)) throw error
          return undefined
        },
      )
      if (reference !== undefined) return connect(reference, { model: reference }, signal)
      return any && connect('settings *', any, signal)
    },
  }

  /** The settings of a name, which may be the default model. */
  function settingsOf(name: string): GatewayModelSettings | undefined {
    const own = named.get(name)
    const byDefault = named.get('default')
    if (own?.model !== 'default' || !byDefault) return own
    return { ...byDefault, ...own, model: byDefault.model }
  }

  function search(signal: AbortSignal): Promise<ModelSearch> {
    return hideUserErrors('The models cannot be looked up.', () =>
      searches.get(
        'all',
        async () => ({ value: await searchModels(workspace), lifetime: SEARCH_LIFETIME }),
        signal,
      ),
    )
  }

  function connect(
    key: string,
    settings: GatewayModelSettings,
    signal: AbortSignal,
  ): Promise<GatewayModel> {
    return hideUserErrors('This model cannot be used.', () =>
      connections.get(
        key,
        async () => {
          // Shared by several callers, so no caller's signal stops it. The search always ends,
          // because each server has a short time limit. If it fails because the settings contain an
          // invalid model, the other models can still be used.
          const found = await search(new AbortController().signal).then(
            (result) => result.found,
            () => undefined,
          )
          const chosen = await choose(settings, found)
          const isThere = found && !isMissing(chosen.reference, found)
          return {
            value: await asUserError(async () => gatewayModel(chosen, settings)),
            lifetime: isThere ? CONNECTION_LIFETIME : SEARCH_LIFETIME,
          }
        },
        signal,
      ),
    )
  }

  async function choose(
    {
      model: reference,
      protocol: id,
      native,
      images,
      prefill,
      contextTokens,
    }: GatewayModelSettings,
    found: ModelSearch['found'] | undefined,
  ): Promise<ChosenModel> {
    const isDefault = reference === 'default'
    const chosen = await chooseWorkspaceModel(workspace, {
      model: isDefault ? model : reference,
      protocol: id ?? (isDefault ? protocol : undefined),
      context: contextTokens,
      connection: {
        found,
        native,
        images,
        prefill,
      },
    })
    if (isDefault && chosen.reference !== lastDefault) {
      lastDefault = chosen.reference
      onDefault?.(chosen)
    }
    return chosen
  }
}

/** In milliseconds. Models on this machine may change at any time. */
const SEARCH_LIFETIME = 5000
const CONNECTION_LIFETIME = 60_000
/** Clients can use any name after `PROVIDER/`. */
const MAX_CONNECTIONS = 200

/** The model that a client's name refers to, apart from those in the settings. */
function referenceOf(name: string, { found, paid }: ModelSearch): string | undefined {
  const local = found.servers.flatMap(({ id, models }) =>
    models.map((each) => ({ name: each.name, reference: `${id}/${each.name}` })),
  )
  if (local.some(({ reference }) => reference === name)) return name
  const [same, another] = local.filter((each) => each.name === name)
  // The name is ambiguous, and must not select a paid model.
  if (same) return another ? undefined : same.reference
  const isPaid = found.keys.some(
    ({ provider }) => paid.includes(provider) && name.startsWith(`${provider}/`),
  )
  return isPaid && isReference(name) ? name : undefined
}

function isReference(text: string): boolean {
  try {
    parseReference(text)
    return true
  } catch {
    return false // The text is not the name of a model.
  }
}

/**
 * True if a model is not available yet: its server isn't running or doesn't have it, or it is the
 * demo script.
 */
function isMissing(reference: string, { servers }: ModelSearch['found']): boolean {
  if (reference === DEMO) return true
  const server = servers.find(({ id }) => reference.startsWith(`${id}/`))
  return (
    server !== undefined && !server.models.some(({ name }) => `${server.id}/${name}` === reference)
  )
}

function ownerOf(reference: string): string {
  // Hides URLs and paths from clients.
  return /^([\w.-]+)\/(?!\/)/.exec(reference)?.[1] ?? 'toolglot'
}

function gatewayModel(
  { model, protocol }: ChosenModel,
  settings: GatewayModelSettings,
): GatewayModel {
  const { toolsIn, streamArguments, callsInProse } = settings
  const { describeTools, oneCall, examples, clients } = settings
  const { temperature, topP, maxOutputTokens, body } = settings
  // Throws if the protocol and `toolsIn` can't be combined.
  chooseCallFormat(model, protocol, toolsIn)
  return {
    model,
    protocol,
    toolsIn,
    streamArguments,
    callsInProse,
    describeTools,
    oneCall,
    examples,
    clients,
    defaults: {
      temperature,
      topP,
      maxOutputTokens,
      body,
    },
  }
}

/**
 * Reports that a model is unusable without revealing the reason: a UserError is written for the
 * owner of this machine and may contain addresses. It becomes the cause, for the log.
 */
async function hideUserErrors<Result>(
  message: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new GatewayError(503, 'model_unavailable', `${message} See the log of the gateway.`, {
      summary: 'The model cannot be used. See the log of the gateway.',
      cause: error,
    })
  }
}
