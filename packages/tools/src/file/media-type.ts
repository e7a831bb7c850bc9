/** The media type that a file's first bytes show, whatever its name is; undefined if unknown. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(({ parts }) =>
    parts.every(([at, signature]) => signature.every((byte, index) => bytes[at + index] === byte)),
  )?.type
}

/** Whether bytes are not readable text. Don't call it for text with a byte order mark: UTF-16 contains NULs. */
export function isBinary(bytes: Uint8Array): boolean {
  let odd = 0
  for (const byte of bytes) {
    if (byte === 0) return true
    // Control characters, except those in terminal output: tab, line breaks, form feed, backspace, escape.
    if ((byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b) || byte === 0x7f) odd++
  }
  return odd > bytes.length * 0.3
}

type Part = readonly [at: number, signature: readonly number[]]

function signature(type: string, ...parts: Part[]): { type: string; parts: readonly Part[] } {
  return { type, parts }
}

function letters(text: string): number[] {
  return [...Buffer.from(text, 'latin1')]
}

const SIGNATURES = [
  signature('image/png', [0, letters('\x89PNG\r\n\x1a\n')]),
  signature('image/jpeg', [0, [0xff, 0xd8, 0xff]]),
  signature('image/gif', [0, letters('GIF8')]),
  signature('image/webp', [0, letters('RIFF')], [8, letters('WEBP')]),
  signature('image/bmp', [0, letters('BM')], [6, [0, 0, 0, 0]]),
  signature('image/avif', [4, letters('ftypavif')]),
  signature('application/pdf', [0, letters('%PDF-')]),
  signature('application/zip', [0, letters('PK\x03\x04')]),
  signature('application/gzip', [0, [0x1f, 0x8b]]),
  signature('application/x-executable', [0, letters('\x7fELF')]),
  signature('application/wasm', [0, letters('\0asm')]),
  signature('application/vnd.sqlite3', [0, letters('SQLite format 3\0')]),
  signature('video/mp4', [4, letters('ftyp')]),
  signature('audio/mpeg', [0, letters('ID3')]),
  signature('audio/wav', [0, letters('RIFF')], [8, letters('WAVE')]),
]
