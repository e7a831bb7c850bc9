/**
 * Bytes as text. What is not UTF-8 becomes U+FFFD, and `onInvalid` hears once what came instead.
 */
export async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  onInvalid: (got: string) => void,
): AsyncIterable<string> {
  const lenient = new TextDecoder('utf-8')
  let strict: typeof lenient | undefined = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true

  const check = (chunk?: Uint8Array): void => {
    try {
      strict?.decode(chunk, { stream: chunk !== undefined })
    } catch {
      // Not UTF-8: said once, then the lenient decoder goes on alone.
      strict = undefined
      onInvalid(isFirst && chunk ? nameOf(chunk) : 'bytes that are not UTF-8')
    }
  }

  for await (const chunk of bytes) {
    check(chunk)
    isFirst = false
    const text = lenient.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  check()
  const rest = lenient.decode()
  if (rest !== '') yield rest
}

function nameOf(start: Uint8Array): string {
  const [first, second] = start
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'UTF-16'
  if (start.includes(0)) return 'what looks like a binary file'
  return 'bytes that are not UTF-8'
}
