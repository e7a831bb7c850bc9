import type { OpenFile } from '../host/files.ts'
import { imageSize } from './image-size.ts'
import { readWhole } from '../file/load.ts'
import type { ReadRequest } from './read-request.ts'
import type { ReadResult } from './read-result.ts'

/** Reads an image, for models that accept images. */
export async function readImage(
  file: OpenFile,
  type: string,
  request: ReadRequest,
): Promise<ReadResult> {
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
