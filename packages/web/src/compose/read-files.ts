import {
  type AttachedFile,
  ATTACHMENT_LIMITS,
  type AttachProblem,
  decodeText,
  IMAGE_TYPES,
  imageFile,
  textFile,
} from './attachments.ts'

/** Reads files to attach them. What cannot be attached is the reason instead. */
export async function readFiles(
  added: readonly File[],
): Promise<readonly (AttachedFile | AttachProblem)[]> {
  const read: (AttachedFile | AttachProblem)[] = []
  let files = 0
  for (const file of added) {
    // A folder, and a file that is gone, cannot be read.
    const next = await readFile(file).catch((): AttachProblem => unreadable(file))
    read.push(next)
    // One more than fits says that there are too many.
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
    // Three bytes are four characters. What is too large is not even read.
    const limit = (image / 4) * 3
    return size > limit ? { type: 'image', name, limit } : imageFile(id, name, await dataUrl(file))
  }
  // An SVG is text.
  if (type.startsWith('image/') && type !== 'image/svg+xml')
    return { type: 'format', name, limit: 0 }
  // A character takes up to three bytes.
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
