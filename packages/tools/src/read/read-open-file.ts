import { ToolError } from '@toolglot/agent'
import { byteOrderMarkOf } from '../encoding/byte-order-mark.ts'
import { isWide } from '../encoding/to-utf8.ts'
import { isUnchanged, type OpenFile } from '../host/files.ts'
import { isBinary, mediaTypeOf } from '../file/media-type.ts'
import { readImage } from './read-image.ts'
import { readNotebook } from './read-notebook.ts'
import { readPdf } from './read-pdf.ts'
import type { ReadRequest } from './read-request.ts'
import type { ReadResult } from './read-result.ts'
import { readText } from './read-text.ts'
import type { FileRecords } from '../file/file-records.ts'

/**
 * Reads an open file according to what its bytes show it is. With `skipSeen`, a file that the model has seen whole and that is
 * unchanged is not shown again.
 */
export async function readOpenFile(
  file: OpenFile,
  request: ReadRequest,
  records: FileRecords,
  skipSeen: boolean,
): Promise<ReadResult> {
  const head = await headOf(file)
  const mark = byteOrderMarkOf(head)
  const type = mark ? undefined : mediaTypeOf(head)
  if (type === 'application/pdf') return readPdf(file, request)
  if (!mark && isBinary(head) && !isWide(request.encoding ?? '')) {
    if (type?.startsWith('image/')) return readImage(file, type, request)
    throw binaryFile(request.name, type, file.facts.size)
  }
  const { path } = file.facts
  if (path.endsWith('.ipynb') && wantsWholeFile(request)) {
    const notebook = await readNotebook(file, request)
    if (notebook) return notebook
  }
  const known = records.get(path)
  if (
    skipSeen &&
    known?.lines !== undefined &&
    wantsWholeFile(request) &&
    isUnchanged(known.version, file.facts)
  ) {
    const notice = `${request.name} is unchanged since it was read in this run; see that result.`
    return { content: '', total_lines: known.lines, path, kind: 'text', notice }
  }
  return readText(file, request, records, mark?.encoding)
}

function wantsWholeFile({ offset, limit, encoding }: ReadRequest): boolean {
  return offset === undefined && limit === undefined && encoding === undefined
}

async function headOf(file: OpenFile): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const piece of file.read({ end: 8192 })) parts.push(Uint8Array.from(piece))
  return Buffer.concat(parts)
}

function binaryFile(name: string, type: string | undefined, size: number): ToolError {
  const what = type === undefined ? 'binary' : `${type}, binary`
  return new ToolError(
    'invalid_input',
    `${name} is not a text file (${what}, ${size} bytes). Inspect it with Bash, for example with file, strings or xxd.`,
    { code: 'binary_file', path: name, ...(type && { type }), size },
  )
}
