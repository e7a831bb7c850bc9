import { colorsOf } from '../../terminal.ts'
import type { Check } from '../check.ts'

export const terminal: Check = {
  name: 'terminal',
  look({ terminal }) {
    const { output, env, ask } = terminal
    const { isColorSupported } = colorsOf(output, env)
    const colors = isColorSupported
      ? 'in colour'
      : env['NO_COLOR']
        ? 'no colour (NO_COLOR)'
        : 'plain'
    const says = `${output.isTTY ? `a screen of ${output.columns ?? 80} columns` : 'none'}, ${colors}`
    return ask
      ? { status: 'ok', says }
      : { status: 'ok', says: `${says}; there is nobody to ask: what would ask is denied` }
  },
}
