/** The bytes at the start of a file that identify its encoding. */
export interface ByteOrderMark {
  readonly encoding: string
  readonly bytes: readonly number[]
}

/** Longer marks first: UTF-32LE's begins with UTF-16LE's. */
const MARKS: readonly ByteOrderMark[] = [
  { encoding: 'utf-32le', bytes: [0xff, 0xfe, 0, 0] },
  { encoding: 'utf-32be', bytes: [0, 0, 0xfe, 0xff] },
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
]

/** The byte order mark that some bytes start with; undefined if there is none. */
export function byteOrderMarkOf(bytes: Uint8Array): ByteOrderMark | undefined {
  return MARKS.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))
}
