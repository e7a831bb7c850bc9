import type { ConnectProgress } from '@toolglot/agent/models'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Terminal } from '../terminal.ts'

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
