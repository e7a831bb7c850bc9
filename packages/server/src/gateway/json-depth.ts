const QUOTE = 34
const BACKSLASH = 92

/** Whether arrays and objects in a JSON text are nested deeper than `max`. Text that is not JSON gives either answer. */
export function isDeeperThan(max: number, text: Uint8Array): boolean {
  if (max === Infinity) return false
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text[index]!
    if (code === QUOTE) {
      index = endOfString(text, index)
      if (index === -1) return false
    } else if (code === 91 || code === 123) {
      depth += 1
      if (depth > max) return true
    } else if (code === 93 || code === 125) {
      depth -= 1
    }
  }
  return false
}

/** Where the string that begins at `start` ends: at a quote after an even number of backslashes. */
function endOfString(text: Uint8Array, start: number): number {
  for (let end = text.indexOf(QUOTE, start + 1); end !== -1; end = text.indexOf(QUOTE, end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return -1
}
