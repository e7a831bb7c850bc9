/** Whether the first bytes of something are no text: more than a tenth of them are none that texts hold. */
export function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  let odd = 0
  for (const character of new TextDecoder().decode(sample, { stream: true })) {
    const code = character.codePointAt(0)!
    if (code === 0xfffd || (code < 32 && !TEXT_CONTROLS.has(code))) odd++
  }
  return odd * 10 > sample.length
}

/** As many bytes are looked at. */
export const SAMPLE_BYTES = 1024

/** Backspace, tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS = new Set([8, 9, 10, 12, 13, 27])
