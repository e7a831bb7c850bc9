import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readTextFile } from '@toolglot/permissions/node/internal'
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
    const content = readTextFile(path, MAX_SIZE)
    if ('missing' in content) return { path, text: undefined, mode: undefined }
    if ('reason' in content) throw unusable(file, content.reason)
    return { path, text: content.text, mode: content.status.mode & 0o777 }
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

function unusable(file: string, reason: string): UserError {
  const problem = visibleLine(`cannot read and write ${file}: ${reason}`)
  return new UserError('data', `${problem}; fix that, or change the settings by hand`)
}
