/** The mark at the beginning of a file that says how it is encoded. */
export interface Mark {
  readonly encoding: string
  readonly bytes: readonly number[]
}

/** The longer ones first: one begins with another. */
const MARKS: readonly Mark[] = [
  { encoding: 'utf-32le', bytes: [0xff, 0xfe, 0, 0] },
  { encoding: 'utf-32be', bytes: [0, 0, 0xfe, 0xff] },
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
]

export function markOf(bytes: Uint8Array): Mark | undefined {
  return MARKS.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))
}
