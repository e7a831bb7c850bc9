/** The JSON in a body. If it is invalid, throws the error made of the problem. */
export function parseBody(
  bytes: Uint8Array | ArrayBuffer,
  asError: (problem: string) => Error,
): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The error of the engine may quote the body.
    throw asError('Expected the body to be valid JSON in UTF-8.')
  }
}
