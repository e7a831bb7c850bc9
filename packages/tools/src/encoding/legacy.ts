/** Encodings from before Unicode, in one byte or two. The decoder is the system's; the way back is its table, turned around. */
export function decodeLegacy(bytes: Uint8Array, name: string): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Bytes that this encoding does not have.
    return undefined
  }
}

/** The bytes of a text; undefined if it has a character that the encoding does not have. */
export function encodeLegacy(text: string, name: string): Uint8Array | undefined {
  const table = tableOf(name)
  const bytes: number[] = []
  for (const character of text) {
    const code = table.get(character)
    if (code === undefined) return undefined
    if (code > 0xff) bytes.push(code >> 8)
    bytes.push(code & 0xff)
  }
  return Uint8Array.from(bytes)
}

/** The first character of a text that an encoding does not have. */
export function missingIn(text: string, name: string): string | undefined {
  const table = tableOf(name)
  for (const character of text) if (!table.has(character)) return character
  return undefined
}

const tables = new Map<string, ReadonlyMap<string, number>>()

function tableOf(name: string): ReadonlyMap<string, number> {
  const known = tables.get(name)
  if (known) return known
  const decoder = new TextDecoder(name, { ignoreBOM: true })
  const table = new Map<string, number>()
  const add = (bytes: number[], code: number): void => {
    const text = decoder.decode(Uint8Array.from(bytes))
    const isOne = text.length > 0 && String.fromCodePoint(text.codePointAt(0)!) === text
    if (isOne && text !== '\ufffd' && !table.has(text)) table.set(text, code)
  }
  for (let byte = 0; byte <= 0xff; byte++) add([byte], byte)
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) add([lead, trail], (lead << 8) | trail)
  tables.set(name, table)
  return table
}

/** The name an encoding goes by; undefined if there is none of that name. */
export function encodingNamed(label: string): string | undefined {
  const plain = label.toLowerCase().replace('_', '-')
  if (plain === 'utf-32le' || plain === 'utf-32be') return plain
  try {
    return new TextDecoder(label).encoding
  } catch {
    // A name that nobody knows.
    return undefined
  }
}
