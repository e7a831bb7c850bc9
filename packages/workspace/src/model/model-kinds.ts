import { type ModelKind, modelKinds } from '@toolglot/agent/models'
import { nodeModelKinds } from '@toolglot/agent/node/kinds'

/** Every kind of model that can be named here. */
export const workspaceModelKinds: readonly ModelKind[] = [...nodeModelKinds, ...modelKinds]
