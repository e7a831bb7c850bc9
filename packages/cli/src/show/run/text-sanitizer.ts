import { visible } from '@toolglot/workspace/internal'

/** Text that comes in pieces, made fit for a terminal; what a cut might split is held back. */
export function createTextSanitizer(): { next(delta: string): string; rest(): string } {
  let held = ''
  return {
    next(delta) {
      const text = held + delta
      // Half a character, or half a line end.
      const cutAt = /[\ud800-\udbff\r]$/.test(text) ? text.length - 1 : text.length
      held = text.slice(cutAt)
      return visible(text.slice(0, cutAt).replaceAll('\r\n', '\n'))
    },
    rest() {
      const text = visible(held)
      held = ''
      return text
    },
  }
}
