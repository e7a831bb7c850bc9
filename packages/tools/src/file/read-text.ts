import { createHash } from 'node:crypto'
import { isWide, toUtf8 } from '../encoding/to-utf8.ts'
import { isUnchanged, type OpenFile } from '../host/files.ts'
import { LINES, MAX_BYTES, SHOWN_BYTES } from './limits.ts'
import { numbered } from './numbered.ts'
import type { Request } from './read-request.ts'
import type { ReadResult } from './read-result.ts'
import { type FileRecords, remember } from './records.ts'
import { type Scan, scanLines } from './scan.ts'
import { showLines } from './show-lines.ts'
import { windowNotice } from './window-notice.ts'

/** Lines of a text file, which is streamed: however large it is, little of it is held. */
export async function readText(
  file: OpenFile,
  request: Request,
  records: FileRecords,
  marked: string | undefined,
): Promise<ReadResult> {
  const { facts } = file
  const first = Math.max(1, request.offset ?? 1)
  const before = records.get(facts.path)
  const known = before && isUnchanged(before.facts, facts) ? before : undefined
  const told = marked ?? request.encoding ?? known?.encoding
  const hash = facts.size <= MAX_BYTES ? createHash('sha256') : undefined
  const pieces = hashed(file.read({ end: facts.size }), hash)
  const wide = told !== undefined && isWide(told)
  const scan = await scanLines(wide ? toUtf8(pieces, told) : withoutMark(pieces, marked), {
    offset: first,
    limit: request.limit ?? LINES,
    signal: request.signal,
  })
  const { lines, encoding, cut } = showLines(scan.lines, wide ? 'utf-8' : told)
  const last = first + lines.length - 1
  const whole = first === 1 && last === scan.total && cut.length === 0
  const named = wide ? told : encoding
  const ranges = known?.ranges ?? []
  remember(records, facts.path, {
    facts,
    ...(hash && { hash: hash.digest('hex') }),
    ranges: whole ? [[1, last]] : lines.length > 0 ? [...ranges, [first, last]] : ranges,
    whole,
    ...(!marked && named !== 'utf-8' && { encoding: named }),
  })
  const notice = noticeOf(request, scan, first, cut, named)
  return {
    content: request.line_numbers === false ? bare(lines, scan, last) : numbered(lines, first),
    total_lines: scan.total,
    path: facts.path,
    size: facts.size,
    kind: 'text',
    ...(lines.length > 0 && { first_line: first, last_line: last }),
    ...(lines.length > 0 && last < scan.total && { next_offset: last + 1 }),
    ...(named !== 'utf-8' && { encoding: named }),
    ...(notice !== '' && { notice }),
  }
}

/** As they stand in the file: whoever writes them back changes nothing. */
function bare(lines: readonly string[], { total, ended }: Scan, last: number): string {
  return lines.join('\n') + (ended && lines.length > 0 && last === total ? '\n' : '')
}

function noticeOf(
  { name }: Request,
  { total, full, lines }: Scan,
  first: number,
  cut: readonly number[],
  encoding: string,
): string {
  if (total === 0) return `${name} exists, but is empty.`
  const parts = [windowNotice({ what: 'lines', first, last: first + lines.length - 1, total })]
  if (full) parts.unshift(`At most ${SHOWN_BYTES / 1024} KB are shown at once.`)
  const [long] = cut
  if (long !== undefined)
    parts.push(
      `Line ${first + long} was cut; more of it: sed -n '${first + long}p' FILE | cut -c 2001-4000`,
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
