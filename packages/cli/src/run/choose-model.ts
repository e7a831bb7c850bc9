import { chooseWorkspaceModel, type ChosenModel, type Workspace } from '@toolglot/workspace'
import { protocolName } from '../input/protocol-of-model.ts'
import type { Terminal } from '../terminal.ts'
import type { ConnectProgress } from '@toolglot/agent/models'
import { visibleLine } from '@toolglot/workspace/internal'

/** The model and the protocol on the command line. */
interface ModelFlags {
  readonly model?: string | undefined
  readonly protocol?: string | undefined
  /** The size of the context, in tokens. */
  readonly context?: number | undefined
  /** Throws if no model is found. */
  readonly required?: boolean
  readonly signal?: AbortSignal
}

/**
 * The requested model, or one that is found. Without any, the built-in demo script, unless a model
 * is required.
 */
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

/** The demo script's pause between words, in milliseconds, if a user is watching. */
export function paceOf({ output }: Terminal): number {
  return output.isTTY ? 15 : 0
}

/**
 * Shows slow steps before a model answers: a line for each step and, on a terminal, its progress.
 */
export function showProgress({ errors }: Terminal): (progress: ConnectProgress) => void {
  let last = ''
  return ({ text, done, total }) => {
    const line = visibleLine(text)
    const percent = total ? Math.min(100, Math.floor((100 * (done ?? 0)) / total)) : undefined
    const shown = percent === undefined || !errors.isTTY ? line : `${line} ${percent} %`
    if (shown === last) return
    // The progress of a step is shown on the same line.
    const isSame = errors.isTTY && percent !== undefined && last.startsWith(line)
    errors.write(
      `${isSame ? '\r' : ''}${shown}${errors.isTTY && percent !== undefined && percent < 100 ? '' : '\n'}`,
    )
    last = shown
  }
}
