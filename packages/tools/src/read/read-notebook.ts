import type { OpenFile } from '../host/files.ts'
import { LINES } from '../file/limits.ts'
import { wholeOf } from '../file/load.ts'
import { notebookText } from './notebook-text.ts'
import type { Request } from './read-request.ts'
import type { ReadResult } from './read-result.ts'
import { scanLines } from './scan-lines.ts'
import { showLines } from './show-lines.ts'

/** The cells of a notebook; undefined if the file is none. */
export async function readNotebook(
  file: OpenFile,
  request: Request,
): Promise<ReadResult | undefined> {
  const text = notebookText(
    Buffer.from(await wholeOf(file, request.name, request.signal)).toString(),
  )
  if (text === undefined) return undefined
  const scan = await scanLines(once(Buffer.from(text)), {
    offset: 1,
    limit: LINES,
    signal: request.signal,
  })
  const { lines } = showLines(scan.lines, 'utf-8')
  const more =
    lines.length < scan.total ? ` Only ${lines.length} of ${scan.total} lines are shown.` : ''
  return {
    content: lines.join('\n'),
    total_lines: scan.total,
    path: file.facts.path,
    size: file.facts.size,
    kind: 'notebook',
    notice: `The cells of a notebook.${more} Edit works on its JSON: read that with offset and limit.`,
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
