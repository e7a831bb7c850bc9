import type { OpenFile } from '../host/files.ts'
import { DEFAULT_LINES } from '../file/limits.ts'
import { readWhole } from '../file/load.ts'
import { notebookText } from './notebook-text.ts'
import type { ReadRequest } from './read-request.ts'
import type { ReadResult } from './read-result.ts'
import { scanLines } from './scan-lines.ts'
import { decodeLines } from './decode-lines.ts'

/** Reads the cells of a notebook; undefined if the file is not a notebook. */
export async function readNotebook(
  file: OpenFile,
  request: ReadRequest,
): Promise<ReadResult | undefined> {
  const text = notebookText(
    Buffer.from(await readWhole(file, request.name, request.signal)).toString(),
  )
  if (text === undefined) return undefined
  const scan = await scanLines(once(Buffer.from(text)), {
    offset: 1,
    limit: DEFAULT_LINES,
    signal: request.signal,
  })
  const { lines } = decodeLines(scan.lines, 'utf-8')
  const more =
    lines.length < scan.total ? ` Only ${lines.length} of ${scan.total} lines are shown.` : ''
  return {
    content: lines.join('\n'),
    total_lines: scan.total,
    path: file.facts.path,
    size: file.facts.size,
    kind: 'notebook',
    notice: `These are the cells of a notebook.${more} Edit works on its JSON: read that with offset and limit.`,
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
