/** The used part of a context: `context 1912 of 4096`. */
export function showContext(used: number, tokens: number): string {
  return `context ${showTokens(used)} of ${showTokens(tokens)}`
}

/** A number of tokens in short form. */
export function showTokens(count: number): string {
  return count < 10_000 ? String(count) : `${(count / 1000).toFixed(0)}k`
}
