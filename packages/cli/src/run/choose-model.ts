import { chooseWorkspaceModel, type ChosenModel, type Workspace } from '@toolglot/workspace'
import { protocolName } from '../input/protocol-of-model.ts'
import type { Terminal } from '../terminal.ts'
import type { ConnectProgress } from '@toolglot/agent/models'
import { visibleLine } from '@toolglot/workspace/internal'

/** The model and the protocol that were named on the command line. */
interface ModelFlags {
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

/** Shows what takes time before a model answers: a line for each step and, on a terminal, how far it is. */
export function showProgress({ errors }: Terminal): (progress: ConnectProgress) => void {
  let last = ''
  return ({ text, done, total }) => {
    const line = visibleLine(text)
    const percent = total ? Math.min(100, Math.floor((100 * (done ?? 0)) / total)) : undefined
    const shown = percent === undefined || !errors.isTTY ? line : `${line} ${percent} %`
    if (shown === last) return
    // A step that goes on stays on its line.
    const isSame = errors.isTTY && percent !== undefined && last.startsWith(line)
    errors.write(
      `${isSame ? '\r' : ''}${shown}${errors.isTTY && percent !== undefined && percent < 100 ? '' : '\n'}`,
    )
    last = shown
  }
}
