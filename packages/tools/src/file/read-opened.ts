import { ToolError } from '@toolglot/agent'
import { markOf } from '../encoding/bom.ts'
import { isWide } from '../encoding/to-utf8.ts'
import { isUnchanged, type OpenFile } from '../host/files.ts'
import { isBinary, mediaTypeOf } from './media.ts'
import { readImage } from './read-image.ts'
import { readNotebook } from './read-notebook.ts'
import { readPdf } from './read-pdf.ts'
import type { Request } from './read-request.ts'
import type { ReadResult } from './read-result.ts'
import { readText } from './read-text.ts'
import type { FileRecords } from './records.ts'

/** Reads an open file as what it is by its bytes. `repeats`: what the model has seen is not shown again. */
export async function readOpened(
  file: OpenFile,
  request: Request,
  records: FileRecords,
  repeats: boolean,
): Promise<ReadResult> {
  const head = await headOf(file)
  const mark = markOf(head)
  const type = mark ? undefined : mediaTypeOf(head)
  if (type === 'application/pdf') return readPdf(file, request)
  if (!mark && isBinary(head) && !isWide(request.encoding ?? '')) {
    if (type?.startsWith('image/')) return readImage(file, type, request)
    throw binary(request.name, type, file.facts.size)
  }
  const { path } = file.facts
  if (path.endsWith('.ipynb') && isWholeAsked(request)) {
    const notebook = await readNotebook(file, request)
    if (notebook) return notebook
  }
  const known = records.get(path)
  if (repeats && known?.whole && isWholeAsked(request) && isUnchanged(known.facts, file.facts)) {
    const total = known.ranges[0]?.[1] ?? 0
    const notice = `${request.name} is unchanged since it was read in this run: see there.`
    return { content: '', total_lines: total, path, kind: 'text', notice }
  }
  return readText(file, request, records, mark?.encoding)
}

function isWholeAsked({ offset, limit, encoding }: Request): boolean {
  return offset === undefined && limit === undefined && encoding === undefined
}

async function headOf(file: OpenFile): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const piece of file.read({ end: 8192 })) parts.push(Uint8Array.from(piece))
  return Buffer.concat(parts)
}

function binary(name: string, type: string | undefined, size: number): ToolError {
  const what = type === undefined ? 'binary' : `${type}, binary`
  return new ToolError(
    'invalid_input',
    `${name} is no text (${what}, ${size} bytes). Look at it with Bash, such as file, strings or xxd.`,
    { code: 'binary_file', path: name, ...(type && { type }), size },
  )
}
