/** JSON with a space after each comma and colon, which is how the models saw it in training. */
export function spaced(value: unknown): string {
  return respace(JSON.stringify(value) ?? 'null', ', ', ': ')
}

/** JSON with other separators. Walks the text instead of the value, so deep nesting costs no stack. */
function respace(json: string, comma: string, colon: string): string {
  let out = ''
  let from = 0
  let quoted = false
  for (let i = 0; i < json.length; i++) {
    const char = json[i]
    if (quoted && char === '\\') i++
    else if (char === '"') quoted = !quoted
    else if (!quoted && (char === ',' || char === ':')) {
      out += json.slice(from, i) + (char === ',' ? comma : colon)
      from = i + 1
    }
  }
  return out + json.slice(from)
}
