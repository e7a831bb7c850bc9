// Folder: Reading text, images, PDFs and notebooks.
import { ToolError } from '@toolglot/agent'
import { byteOrderMarkOf } from '../encoding/text.ts'
import { isWide } from '../encoding/legacy.ts'
import { isUnchanged, type OpenFile } from '../host/files.ts'
import { isBinary, mediaTypeOf } from '../file/text-file.ts'
import { readPdf } from './read-pdf.ts'
import type { ReadRequest, ReadResult } from './read-result.ts'
import { readText } from './read-text.ts'
import type { FileRecords } from '../file/file-records.ts'
import { readWhole, DEFAULT_LINES } from '../file/load.ts'
import { scanLines, decodeLines } from './scan-lines.ts'

/**
 * Reads an open file in the format that its bytes indicate. With `skipSeen`, an unchanged file that
 * the model has seen completely is not shown again.
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
    { code: 'binary_file', path: name, type: type || undefined, size },
  )
}

/** Reads an image, for models that accept images. */
async function readImage(file: OpenFile, type: string, request: ReadRequest): Promise<ReadResult> {
  const bytes = await readWhole(file, request.name, request.signal)
  const size = imageSize(bytes, type)
  const pixels = size ? `, ${size.width} x ${size.height} pixels` : ''
  return {
    content: '',
    total_lines: 0,
    path: file.facts.path,
    kind: 'image',
    image: {
      media_type: type,
      data: Buffer.from(bytes).toString('base64'),
      bytes: bytes.length,
      ...size,
    },
    notice: `${request.name} is an image: ${type}${pixels}, ${bytes.length} bytes.`,
  }
}

/** Width and height of an image in pixels; undefined if the format is unknown or the bytes are incomplete. */
function imageSize(
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

/** Reads the cells of a notebook; undefined if the file is not a notebook. */
async function readNotebook(file: OpenFile, request: ReadRequest): Promise<ReadResult | undefined> {
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

/** The cells of a notebook and their outputs, as text; undefined if the JSON is not a notebook. */
export function notebookText(json: string): string | undefined {
  let notebook: unknown
  try {
    notebook = JSON.parse(json)
  } catch {
    // The file is not JSON: Read shows it as plain text.
    return undefined
  }
  const cells = field(notebook, 'cells')
  if (!Array.isArray(cells)) return undefined
  return cells.map(cellText).join('\n')
}

function cellText(cell: unknown, index: number): string {
  const type = joinText(field(cell, 'cell_type')) || 'unknown'
  const outputs = field(cell, 'outputs')
  const shown = Array.isArray(outputs) ? outputs.map(outputText).filter((text) => text !== '') : []
  return [
    `[cell ${index + 1}: ${type}]`,
    joinText(field(cell, 'source')),
    ...shown.flatMap((text) => [`[output of cell ${index + 1}]`, text]),
  ].join('\n')
}

function outputText(output: unknown): string {
  const text = field(output, 'text')
  if (text !== undefined) return joinText(text)
  const error = field(output, 'evalue')
  if (error !== undefined) return `${joinText(field(output, 'ename'))}: ${joinText(error)}`
  const data = field(output, 'data')
  const plain = field(data, 'text/plain')
  const others = Object.keys(data ?? {}).filter((type) => !type.startsWith('text/'))
  return [joinText(plain), ...others.map((type) => `[${type}]`)].filter(Boolean).join('\n')
}

/** A notebook stores text as one string or as a list of lines. */
function joinText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('')
  return typeof value === 'string' ? value : ''
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}
