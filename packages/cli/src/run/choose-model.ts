import { chooseWorkspaceModel, type ChosenModel, type Workspace } from '@toolglot/workspace'
import { protocolName } from '../input/protocol-name.ts'
import type { Terminal } from '../terminal.ts'
import { showProgress } from './show-progress.ts'

/** The model and the protocol that were named on the command line. */
export interface ModelFlags {
  readonly model?: string | undefined
  readonly protocol?: string | undefined
  /** The size of the context, in tokens. */
  readonly context?: number | undefined
  /** Whether it is an error if no model is found. */
  readonly required?: boolean
  readonly signal?: AbortSignal
}

/** The model that is named or found; without one, the built-in demo script, unless a model is required. */
export function chooseModel(
  { model, protocol, context, required = false, signal }: ModelFlags,
  workspace: Workspace,
  terminal: Terminal,
): Promise<ChosenModel> {
  return chooseWorkspaceModel(workspace, {
    model,
    protocol: protocol === undefined ? undefined : protocolName(protocol, terminal),
    context,
    required,
    signal,
    ask: terminal.ask,
    onProgress: showProgress(terminal),
    pace: paceOf(terminal),
  })
}

/** How long the demo script waits between words, in milliseconds: a person watches it write. */
export function paceOf({ output }: Terminal): number {
  return output.isTTY ? 15 : 0
}
