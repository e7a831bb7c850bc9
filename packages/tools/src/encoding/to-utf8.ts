/** Converts a UTF-16 or UTF-32 stream to UTF-8, so that it can be split at line feeds. */
export async function* toUtf8(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
): AsyncIterable<Uint8Array> {
  const decode = name.startsWith('utf-32') ? fourBytes(name === 'utf-32le') : twoBytes(name)
  for await (const piece of pieces) yield Buffer.from(decode(piece))
}

/** Whether every character of an encoding has two or four bytes. */
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
