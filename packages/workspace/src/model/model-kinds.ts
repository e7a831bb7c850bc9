import { type ModelKind, modelKinds } from '@toolglot/agent/models'
import { nodeModelKinds } from '@toolglot/agent/node/kinds'

/** All kinds of models that can be used in a workspace. */
export const workspaceModelKinds: readonly ModelKind[] = [...nodeModelKinds, ...modelKinds]
