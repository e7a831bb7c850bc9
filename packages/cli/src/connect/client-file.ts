import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'

/** A file of another program, as it is now. */
export interface ClientFile {
  /** Where it really is: links are followed. */
  readonly path: string
  /** All of it; undefined if there is none. */
  readonly text: string | undefined
  readonly mode: number | undefined
}

/**
 * Looks at a file of another program. Throws a UserError if it could not be replaced and restored to the byte: links that lead
 * nowhere, what is not a file, and what is not text.
 */
export function readClientFile(file: string): ClientFile {
  return inPlainWords(file, () => {
    const path = actualPath(file)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return { path, text: undefined, mode: undefined }
    if (!stat.isFile()) throw unusable(file, stat.isDirectory() ? 'a folder' : 'a special file')
    if (stat.size > MAX_SIZE) throw unusable(file, `a file of ${stat.size} bytes`)
    return { path, text: textOf(file, readFileSync(path)), mode: stat.mode & 0o777 }
  })
}

/** Settings are far smaller. */
const MAX_SIZE = 16 << 20

/** Does something with a file. What the system refuses becomes a UserError. */
export function inPlainWords<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (error instanceof UserError || syscall === undefined) throw error
    throw unusable(file, REASONS[code ?? ''] ?? `the error ${code}`)
  }
}

const REASONS: Readonly<Partial<Record<string, string>>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'a file system that is read-only',
  ENOSPC: 'a disk that is full',
  ELOOP: 'a link that leads to itself',
  ENOTDIR: 'a path that leads through a file',
}

/** The path without links, whether or not there is a file. */
function actualPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // What a link leads to may be on a disk that is not there now.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw unusable(path, 'a link that leads nowhere')
    const parent = dirname(path)
    return parent === path ? path : join(actualPath(parent), basename(path))
  }
}

function textOf(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // The decoder throws for nothing else.
    throw unusable(file, 'a file that is not UTF-8')
  }
}

function unusable(file: string, got: string): UserError {
  return new UserError('data', {
    expected: visibleLine(`${file} to be a text file that can be read and written`),
    got,
    advice: 'fix that, or change the settings by hand',
  })
}
