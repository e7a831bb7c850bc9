/** Whether the first bytes look binary: more than a tenth of them do not occur in text. */
export function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  let odd = 0
  for (const character of new TextDecoder().decode(sample, { stream: true })) {
    const code = character.codePointAt(0)!
    if (code === 0xfffd || (code < 32 && !TEXT_CONTROLS.has(code))) odd++
  }
  return odd * 10 > sample.length
}

/** How many bytes are examined. */
export const SAMPLE_BYTES = 1024

/** Backspace, tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS = new Set([8, 9, 10, 12, 13, 27])
