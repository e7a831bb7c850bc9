/** JSON with a space after each comma and colon, which is how the models saw it in training. */
export function spaced(value: unknown): string {
  let quoted = false
  // Changes the text instead of walking the value, so deep nesting costs no stack.
  return (JSON.stringify(value) ?? 'null').replace(/\\.|[",:]/g, (token) => {
    if (token === '"') quoted = !quoted
    return quoted || token.length > 1 || token === '"' ? token : `${token} `
  })
}
