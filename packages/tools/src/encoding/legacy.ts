/**
 * Decodes an encoding from before Unicode, with one or two bytes per character. Returns undefined
 * if the bytes are invalid. `TextDecoder` decodes; for encoding, its table is inverted.
 */
export function decodeLegacy(bytes: Uint8Array, name: string): string | undefined {
  if (name === 'windows-1252') return decodeWestern(bytes)
  try {
    return new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // The bytes are invalid in this encoding.
    return undefined
  }
}

/** 0x80 to 0x9F in windows-1252. Some versions of Node decode these bytes as latin1. */
const WESTERN = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

function decodeWestern(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  return text.replaceAll(/[\x80-\x9f]/g, (character) => WESTERN[character.charCodeAt(0) - 0x80]!)
}

/** Encodes text; undefined if the encoding lacks one of its characters. */
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

/** The first character in a text that an encoding can't represent. */
export function firstUnencodable(text: string, name: string): string | undefined {
  const table = tableOf(name)
  for (const character of text) if (!table.has(character)) return character
  return undefined
}

const tables = new Map<string, ReadonlyMap<string, number>>()

function tableOf(name: string): ReadonlyMap<string, number> {
  const known = tables.get(name)
  if (known) return known
  const decoder = new TextDecoder(name, { ignoreBOM: true })
  const western = name === 'windows-1252'
  const table = new Map<string, number>()
  const add = (codes: number[], code: number): void => {
    const bytes = Uint8Array.from(codes)
    const text = western ? decodeWestern(bytes) : decoder.decode(bytes)
    const isOne = text.length > 0 && String.fromCodePoint(text.codePointAt(0)!) === text
    if (isOne && text !== '\ufffd' && !table.has(text)) table.set(text, code)
  }
  for (let byte = 0; byte <= 0xff; byte++) add([byte], byte)
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) add([lead, trail], (lead << 8) | trail)
  tables.set(name, table)
  return table
}

/** The canonical name of an encoding label such as `latin1`; undefined if unknown. */
export function encodingName(label: string): string | undefined {
  const plain = label.toLowerCase().replace('_', '-')
  if (plain === 'utf-32le' || plain === 'utf-32be') return plain
  try {
    return new TextDecoder(label).encoding
  } catch {
    // An unknown label.
    return undefined
  }
}

/** Converts a UTF-16 or UTF-32 stream to UTF-8, so that it can be split at line feeds. */
export async function* toUtf8(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
): AsyncIterable<Uint8Array> {
  const decode = name.startsWith('utf-32') ? fourBytes(name === 'utf-32le') : twoBytes(name)
  for await (const piece of pieces) yield Buffer.from(decode(piece))
}

/** True if every character of an encoding has two or four bytes. */
export function isWide(name: string): boolean {
  return name.startsWith('utf-16') || name.startsWith('utf-32')
}

function twoBytes(name: string): (piece: Uint8Array) => string {
  const decoder = new TextDecoder(name)
  return (piece) => decoder.decode(piece, { stream: true })
}

function fourBytes(little: boolean): (piece: Uint8Array) => string {
  let rest = Buffer.alloc(0)
  let begun = false
  return (piece) => {
    const bytes = Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % 4)
    rest = bytes.subarray(whole)
    let text = ''
    for (let at = 0; at < whole; at += 4) {
      const point = little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
      // The byte order mark at the very beginning is not part of the text.
      if (begun || point !== 0xfeff)
        text += point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point)
      begun = true
    }
    return text
  }
}
