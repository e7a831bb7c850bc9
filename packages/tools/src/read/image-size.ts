/** Width and height of an image in pixels; undefined if the format is unknown or the bytes are incomplete. */
export function imageSize(
  bytes: Uint8Array,
  type: string,
): { readonly width: number; readonly height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (type) {
    case 'image/png':
      if (bytes.length < 24) return undefined
      return { width: view.getUint32(16), height: view.getUint32(20) }
    case 'image/gif':
      if (bytes.length < 10) return undefined
      return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
    case 'image/jpeg':
      return jpegSize(view)
    default:
      return undefined
  }
}

/** A JPEG is a sequence of segments, `FF type length …`; the start-of-frame segment contains the size. */
function jpegSize(view: DataView): { width: number; height: number } | undefined {
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff;) {
    const type = view.getUint8(at + 1)
    const isFrame = type >= 0xc0 && type <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(type)
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += 2 + view.getUint16(at + 2)
  }
  return undefined
}
