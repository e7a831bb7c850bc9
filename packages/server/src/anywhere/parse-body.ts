/** Parses a JSON body. If it is invalid, throws the error that `asError` creates. */
export function parseBody(
  bytes: Uint8Array | ArrayBuffer,
  asError: (problem: string) => Error,
): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The engine's error may quote the body, so it is dropped.
    throw asError('The body must be valid JSON in UTF-8.')
  }
}
