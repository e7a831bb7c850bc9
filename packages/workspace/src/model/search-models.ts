import { ModelError } from '@toolglot/agent'
import {
  chooseModel,
  findModels,
  type FoundModels,
  type ModelChoice,
  type SavedModel,
} from '@toolglot/agent/models'
import { DEMO } from '../demo/demo-model.ts'
import { settingValues } from '../settings/keys/key.ts'
import { model as modelKey, paidProviders } from '../settings/keys/model.ts'
import { type ModelProtocols, modelProtocolsIn } from '../settings/keys/model-protocols.ts'
import { UserError } from '../user-error.ts'
import { visibleLine } from '../visible.ts'
import type { Workspace } from '../workspace.ts'
import { workspaceModelKinds } from './model-kinds.ts'

/** The available models, and the one that would be chosen. */
export interface ModelSearch {
  readonly found: FoundModels
  readonly choice: ModelChoice
  /** The model in the settings. */
  readonly saved: SavedModel | undefined
  /** The paid providers that the user has agreed to use. */
  readonly paid: readonly string[]
  /** The best formats for calls found by probing, by model reference. */
  readonly probed: ModelProtocols
}

/** Searches for models: running servers, keys in the environment, and settings. */
export async function searchModels(
  { settings, env, folder }: Pick<Workspace, 'settings' | 'env' | 'folder'>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ModelSearch> {
  const [named] = settingValues(settings, modelKey)
  const saved = named && { reference: named.value, scope: named.source.scope }
  const { TOOLGLOT_MODEL, ...others } = env
  // The demo script cannot be searched for.
  return asUserError(async () => {
    const found = await findModels({
      env: TOOLGLOT_MODEL?.trim() === DEMO ? others : env,
      saved,
      signal,
    })
    const paid = settingValues(settings, paidProviders).flatMap(({ value }) => value)
    return {
      found,
      choice: chooseModel(found, {
        paid,
        kinds: workspaceModelKinds,
        cwd: folder,
        home: env['HOME'],
      }),
      saved,
      paid,
      probed: modelProtocolsIn(settings),
    }
  })
}

/** Converts errors caused by a model or its reference to a UserError. */
export async function asUserError<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    // An invalid reference, a missing key, or a failing server. The messages of these errors
    // contain advice.
    if (!(error instanceof TypeError || error instanceof ModelError)) throw error
    const code = error instanceof TypeError ? 'usage' : 'data'
    throw new UserError(code, visibleLine(error.message))
  }
}
