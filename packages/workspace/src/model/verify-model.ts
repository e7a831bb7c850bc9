import { parseReference, verifyModel } from '@toolglot/agent/models'
import type { Workspace } from '../workspace.ts'
import { connectOptions, serversFor } from './connect-options.ts'
import { asUserError } from './search-models.ts'

/** A model that a person wants to use from now on. */
export interface VerifiedModel {
  /** As it is stored. */
  readonly reference: string
  /** What could not be checked, for people. */
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
