import { createHash } from 'node:crypto'
import { isWide, toUtf8 } from '../encoding/legacy.ts'
import { isUnchanged, type OpenFile } from '../host/files.ts'
import { DEFAULT_LINES, MAX_WHOLE_BYTES, MAX_SHOWN_BYTES } from '../file/load.ts'
import { type ReadRequest, type ReadResult, windowNotice } from './read-result.ts'
import type { FileRecords } from '../file/file-records.ts'
import { type ScannedLines, scanLines, decodeLines } from './scan-lines.ts'

/** Reads lines of a text file. The file is streamed, so memory use does not grow with its size. */
export async function readText(
  file: OpenFile,
  request: ReadRequest,
  records: FileRecords,
  /** The encoding according to its byte order mark. */
  marked: string | undefined,
): Promise<ReadResult> {
  const { facts } = file
  const first = Math.max(1, request.offset ?? 1)
  const before = records.get(facts.path)
  const known = before && isUnchanged(before.version, facts) ? before : undefined
  const declared = marked ?? request.encoding ?? known?.encoding
  const hash = facts.size <= MAX_WHOLE_BYTES ? createHash('sha256') : undefined
  const pieces = hashed(file.read({ end: facts.size }), hash)
  const wide = declared !== undefined && isWide(declared)
  const scan = await scanLines(wide ? toUtf8(pieces, declared) : withoutMark(pieces, marked), {
    offset: first,
    limit: request.limit ?? DEFAULT_LINES,
    signal: request.signal,
  })
  const { lines, encoding, cut } = decodeLines(scan.lines, wide ? 'utf-8' : declared)
  const last = first + lines.length - 1
  const whole = first === 1 && last === scan.total && cut.length === 0
  const original = wide ? declared : encoding
  records.set(facts.path, {
    version: facts,
    hash: hash ? hash.digest('hex') : undefined,
    lines: whole ? last : undefined,
    encoding: !marked && original !== 'utf-8' ? original : undefined,
  })
  const notice = noticeOf(request, scan, first, cut, original)
  return {
    content:
      request.line_numbers === false ? unnumbered(lines, scan, last) : numbered(lines, first),
    total_lines: scan.total,
    path: facts.path,
    size: facts.size,
    kind: 'text',
    ...(lines.length > 0 && { first_line: first, last_line: last }),
    next_offset: lines.length > 0 && last < scan.total ? last + 1 : undefined,
    encoding: original !== 'utf-8' ? original : undefined,
    notice: notice !== '' ? notice : undefined,
  }
}

/** Each line with its number, six characters wide, and a tab before it. */
function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join('\n')
}

/** The exact text of the file: writing it back would change nothing. */
function unnumbered(
  lines: readonly string[],
  { total, ended }: ScannedLines,
  last: number,
): string {
  return lines.join('\n') + (ended && lines.length > 0 && last === total ? '\n' : '')
}

function noticeOf(
  { name }: ReadRequest,
  { total, full, lines }: ScannedLines,
  first: number,
  cut: readonly number[],
  encoding: string,
): string {
  if (total === 0) return `${name} exists, but is empty.`
  const parts = [windowNotice({ what: 'lines', first, last: first + lines.length - 1, total })]
  if (full) parts.unshift(`At most ${MAX_SHOWN_BYTES / 1024} KB are shown at a time.`)
  const [long] = cut
  if (long !== undefined)
    parts.push(
      `Line ${first + long} was cut. To see more of it: sed -n '${first + long}p' FILE | cut -c 2001-4000`,
    )
  if (encoding !== 'utf-8') parts.push(`Encoding: ${encoding}.`)
  return parts.filter((part) => part !== '').join(' ')
}

async function* hashed(
  pieces: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash> | undefined,
): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) {
    hash?.update(piece)
    yield piece
  }
}

async function* withoutMark(
  pieces: AsyncIterable<Uint8Array>,
  marked: string | undefined,
): AsyncIterable<Uint8Array> {
  let skip = marked === 'utf-8' ? 3 : 0
  for await (const piece of pieces) {
    yield piece.subarray(skip)
    skip = 0
  }
}
