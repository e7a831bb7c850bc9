import { colorsOf } from '../../terminal.ts'
import type { Check } from '../check.ts'

export const terminal: Check = {
  name: 'terminal',
  run({ terminal }) {
    const { output, env, ask } = terminal
    const { isColorSupported } = colorsOf(output, env)
    const reason = env['NO_COLOR'] ? ' (NO_COLOR)' : ''
    const colors = isColorSupported ? 'colors' : `no colors${reason}`
    const says = `${output.isTTY ? `${output.columns ?? 80} columns` : 'none'}, ${colors}`
    return ask
      ? { status: 'ok', says }
      : { status: 'ok', says: `${says}; no one to ask, so calls that need approval are denied` }
  },
}
