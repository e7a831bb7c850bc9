import { chooseWorkspaceModel, type ChosenModel, type Workspace } from '@toolglot/workspace'
import type { Terminal } from '../terminal.ts'

/** What a person says about the model. */
export interface ModelFlags {
  readonly model?: string | undefined
  readonly protocol?: string | undefined
  readonly signal?: AbortSignal
}

/** The model that is named or found; without one, the built-in demo script. */
export function chooseModel(
  { model, protocol, signal }: ModelFlags,
  workspace: Workspace,
  terminal: Terminal,
): Promise<ChosenModel> {
  const { ask } = terminal
  return chooseWorkspaceModel(workspace, { model, protocol, signal, ask, pace: paceOf(terminal) })
}

/** How long the demo script waits between words, in milliseconds: a person watches it write. */
export function paceOf({ output }: Terminal): number {
  return output.isTTY ? 15 : 0
}
