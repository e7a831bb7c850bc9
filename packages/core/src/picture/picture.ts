// Folder: Protocols read from the text of a file.
import { interpret, type Picture } from './interpret.ts'

export type { Picture } from './interpret.ts'

/**
 * Reads the text of a protocol file, such as `arrow.ts`. It runs no code: it supports only the part
 * of TypeScript that protocols are drawn in, and reports everything else. The text may be
 * arbitrary.
 */
export function readPicture(text: string): Picture {
  return interpret(text).picture
}
