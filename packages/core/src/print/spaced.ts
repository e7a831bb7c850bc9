/** JSON with a space after each comma and colon, which is the form that models were trained on. */
export function spaced(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null'
  let out = ''
  let from = 0
  // Walks the text instead of the value, so deep nesting costs no stack.
  for (let i = 0; i < json.length; i++) {
    const char = json[i]
    if (char === '"') i = endOfString(json, i)
    else if (char === ',' || char === ':') {
      out += `${json.slice(from, i)}${char} `
      from = i + 1
    }
  }
  return out + json.slice(from)
}

/** The end of the string that begins here. */
function endOfString(json: string, begin: number): number {
  for (let end = json.indexOf('"', begin + 1); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json[end - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return end
  }
}
