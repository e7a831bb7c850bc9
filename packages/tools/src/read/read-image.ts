import type { OpenFile } from '../host/files.ts'
import { imageSize } from './image-size.ts'
import { wholeOf } from '../file/load.ts'
import type { Request } from './read-request.ts'
import type { ReadResult } from './read-result.ts'

/** A picture, for a model that can see. */
export async function readImage(
  file: OpenFile,
  type: string,
  request: Request,
): Promise<ReadResult> {
  const bytes = await wholeOf(file, request.name, request.signal)
  const size = imageSize(bytes, type)
  const shape = size ? `, ${size.width} x ${size.height} pixels` : ''
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
    notice: `${request.name} is a picture: ${type}${shape}, ${bytes.length} bytes.`,
  }
}
