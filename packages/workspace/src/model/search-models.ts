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

/** The models that can be used here, and the one that would be chosen. */
export interface ModelSearch {
  readonly found: FoundModels
  readonly choice: ModelChoice
  /** The model that settings name. */
  readonly saved: SavedModel | undefined
  /** The paid providers that a person agreed to use. */
  readonly paid: readonly string[]
  /** How models were seen to write calls best, by reference. */
  readonly probed: ModelProtocols
}

/** Looks for models: running servers, keys in the environment, and what settings name. */
export async function searchModels(
  { settings, env, folder }: Pick<Workspace, 'settings' | 'env' | 'folder'>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ModelSearch> {
  const [named] = settingValues(settings, modelKey)
  const saved = named && { reference: named.value, scope: named.source.scope }
  const { TOOLGLOT_MODEL, ...others } = env
  // The demo script is not something to look for.
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

/** Throws a UserError where the work fails because of a model or of what names it. */
export async function asUserError<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    // An invalid reference, a missing key, a server that fails: all say what to do.
    if (!(error instanceof TypeError || error instanceof ModelError)) throw error
    const code = error instanceof TypeError ? 'usage' : 'data'
    throw new UserError(code, visibleLine(error.message))
  }
}
