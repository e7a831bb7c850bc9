// Folder: Protocols read from the text of a file.
import { interpret, type Picture } from './interpret.ts'

export type { Picture } from './interpret.ts'

/**
 * Reads the text of a protocol file, such as `arrow.ts`. It runs no code: it understands the part of TypeScript in which
 * protocols are drawn, and reports everything else. Any text may be given.
 */
export function readPicture(text: string): Picture {
  return interpret(text).picture
}
