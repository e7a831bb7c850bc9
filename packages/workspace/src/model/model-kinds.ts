import { type ModelKind, modelKinds, parseReference } from '@toolglot/agent/models'
import { nodeModelKinds } from '@toolglot/agent/node/kinds'
import type { Workspace } from '../workspace.ts'

/** Every kind of model that can be named here. */
export const workspaceModelKinds: readonly ModelKind[] = [...nodeModelKinds, ...modelKinds]

/**
 * Checks a model reference, such as `ollama/qwen3:8b`, and returns it as it is stored. Throws a TypeError that explains
 * what is wrong with it.
 */
export function readModelReference(
  text: string,
  { folder, env }: Pick<Workspace, 'folder' | 'env'>,
): string {
  return parseReference(text, { kinds: workspaceModelKinds, cwd: folder, home: env['HOME'] })
}
