const CHARACTERS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#34;': '"',
  '&#60;': '<',
  '&#62;': '>',
  '&amp;': '&',
}

/** A text without HTML's escapes, and where each of its characters was. */
export function unescaped(text: string): { readonly text: string; readonly places: Uint32Array } {
  const places = new Uint32Array(text.length + 1)
  let found = ''
  let at = 0
  while (at < text.length) {
    places[found.length] = at
    const end = text[at] === '&' ? text.slice(at, at + 6).indexOf(';') : -1
    const character = end < 0 ? undefined : CHARACTERS[text.slice(at, at + end + 1).toLowerCase()]
    found += character ?? text[at]!
    at += character === undefined ? 1 : end + 1
  }
  places[found.length] = at
  return { text: found, places }
}
