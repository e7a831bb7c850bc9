/** UTF-32; undefined if the bytes are none. */
export function decodeUtf32(bytes: Uint8Array, little: boolean): string | undefined {
  if (bytes.length % 4 !== 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 4) {
    const point = view.getUint32(at, little)
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined
    parts.push(String.fromCodePoint(point))
  }
  return parts.join('')
}

export function encodeUtf32(text: string, little: boolean): Uint8Array {
  const points = Array.from(text, (character) => character.codePointAt(0)!)
  const bytes = new Uint8Array(points.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [index, point] of points.entries()) view.setUint32(index * 4, point, little)
  return bytes
}
