import type { PromptToSend } from '@toolglot/react/view'

/** A file or an image that is sent with a message. */
type Attachment = NonNullable<PromptToSend['attachments']>[number]

/** A file or image that the user has attached. */
export interface AttachedFile {
  readonly id: string
  readonly name: string
  /** Its size in the request, in bytes. */
  readonly size: number
  readonly attachment: Attachment
}

/** The server's limits (see run-request.ts). Lengths are in characters, the total is in bytes. */
export const ATTACHMENT_LIMITS = {
  count: 20,
  text: 4 << 20,
  image: 28 << 20,
  name: 1000,
  total: 32 << 20,
  prompt: 1 << 20,
  /** A message to a working run, including the text of its files. */
  message: 1_000_000,
} as const

/** The image types that models accept. */
const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** Why a file cannot be attached or sent. */
export interface AttachProblem {
  readonly type:
    | 'count'
    | 'text'
    | 'image'
    | 'total'
    | 'binary'
    | 'format'
    | 'unreadable'
    | 'prompt'
  readonly name: string
  readonly limit: number
}

/** The size reserved for the rest of a request, in bytes. */
const REST = 64 << 10

/** Adds a file to the attachments, or returns the problem. */
export function addFile(
  files: readonly AttachedFile[],
  file: AttachedFile,
): readonly AttachedFile[] | AttachProblem {
  const { attachment, name } = file
  const problem = (type: AttachProblem['type'], limit: number): AttachProblem => ({
    type,
    name,
    limit,
  })
  const { count, text, image, total } = ATTACHMENT_LIMITS
  if (files.length >= count) return problem('count', count)
  if (attachment.type === 'text' && attachment.text.length > text) return problem('text', text)
  // Base64 turns three bytes into four characters.
  if (attachment.type === 'image' && attachment.url.length > image)
    return problem('image', (image / 4) * 3)
  const sum = files.reduce((bytes, { size }) => bytes + size, file.size)
  if (sum > total - REST) return problem('total', total)
  return [...files, file]
}

/** Adds the files read to the current attachments, and the problems with others. */
export function addRead(
  before: {
    readonly files: readonly AttachedFile[]
    readonly problems: readonly AttachProblem[]
  },
  read: readonly (AttachedFile | AttachProblem)[],
): typeof before {
  let { files } = before
  const problems = [...before.problems]
  for (const each of read) {
    const next = 'type' in each ? each : addFile(files, each)
    if (!('type' in next)) files = next
    else {
      problems.push(next)
      // The limit also rejects all remaining files.
      if (next.type === 'count') break
    }
  }
  return { files, problems }
}

/** A text file as an attachment. */
export function textFile(id: string, name: string, text: string): AttachedFile {
  const attachment = { type: 'text', name: name.slice(0, ATTACHMENT_LIMITS.name), text } as const
  const size = new TextEncoder().encode(JSON.stringify(attachment)).length
  return { id, name, size, attachment }
}

/** An image as an attachment. */
export function imageFile(id: string, name: string, url: string): AttachedFile {
  return { id, name, size: url.length, attachment: { type: 'image', url } }
}

/** The text of a file; undefined if its bytes are not text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** The problem with a message that is too long to send, if any. */
export function checkLength(
  text: string,
  files: readonly AttachedFile[],
  isWorking: boolean,
): AttachProblem | undefined {
  const { prompt, message } = ATTACHMENT_LIMITS
  if (!isWorking)
    return text.length > prompt ? { type: 'prompt', name: '', limit: prompt } : undefined
  const sum = files.reduce(
    (length, { attachment, name }) =>
      attachment.type === 'text' ? length + name.length + attachment.text.length + 5 : length,
    text.length,
  )
  return sum > message ? { type: 'prompt', name: '', limit: message } : undefined
}

/** Reads files to attach. A file that cannot be attached yields its problem instead. */
export async function readFiles(
  added: readonly File[],
): Promise<readonly (AttachedFile | AttachProblem)[]> {
  const read: (AttachedFile | AttachProblem)[] = []
  let files = 0
  for (const file of added) {
    // A folder or a deleted file cannot be read.
    const next = await readFile(file).catch((): AttachProblem => unreadable(file))
    read.push(next)
    // One file above the limit is enough to report too many.
    if (!('type' in next) && ++files > ATTACHMENT_LIMITS.count) break
  }
  return read
}

function unreadable({ name }: File): AttachProblem {
  return { type: 'unreadable', name, limit: 0 }
}

let count = 0

async function readFile(file: File): Promise<AttachedFile | AttachProblem> {
  const { name, type, size } = file
  const id = String(count++)
  const { text, image } = ATTACHMENT_LIMITS
  if (IMAGE_TYPES.includes(type)) {
    // Base64 turns three bytes into four characters. Larger files are not read.
    const limit = (image / 4) * 3
    return size > limit ? { type: 'image', name, limit } : imageFile(id, name, await dataUrl(file))
  }
  // An SVG is attached as text.
  if (type.startsWith('image/') && type !== 'image/svg+xml')
    return { type: 'format', name, limit: 0 }
  // A character takes at most three bytes.
  if (size > text * 3) return { type: 'text', name, limit: text }
  const decoded = decodeText(new Uint8Array(await file.arrayBuffer()))
  return decoded === undefined ? { type: 'binary', name, limit: 0 } : textFile(id, name, decoded)
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(file)
  })
}
