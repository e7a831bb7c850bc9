import type { FileSystemView } from '../decide/file-system.ts'

/** Where a path leads in the end. Undefined: unknown. */
export function realPath(path: string, fileSystem: FileSystemView): string | undefined {
  return fileSystem.follow(path)?.at(-1)
}
