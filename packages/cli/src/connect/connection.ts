// Folder: The settings of other agents, edited and restored.
import { chmodSync, rmSync, lstatSync, realpathSync } from 'node:fs'
import { join, basename, dirname } from 'node:path'
import { UserError } from '@toolglot/workspace'
import { writeWhole, visibleLine } from '@toolglot/workspace/internal'
import { withoutSettings, withSettings } from './edit-file.ts'
import { readTextFile } from '@toolglot/permissions/node/internal'

/** The current file of another program. */
interface ClientFile {
  /** The real path, with links resolved. */
  readonly path: string
  /** The content; undefined if the file is missing. */
  readonly text: string | undefined
  readonly mode: number | undefined
}

/** Real settings are far smaller. */
const MAX_SIZE = 16 << 20

const REASONS: Readonly<Partial<Record<string, string>>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'a read-only file system',
  ENOSPC: 'a full disk',
  ELOOP: 'a link to itself',
  ENOTDIR: 'a path through a file',
}

/** The record of a client's file, for undoing the change. */
interface Written {
  readonly file: string
  /** The previous content of the file; null if it did not exist. */
  readonly before: string | null
  readonly mode: number | null
  readonly settings: ClientSettings
  /** The new content of the file. */
  readonly after: string
}

/** The settings of one client, which can be written and undone. */
export interface Connection {
  /** True if there is a change that was not undone. */
  isWritten(): boolean
  /** Throws a UserError if settings of this form cannot be written. */
  check(settings: ClientSettings): void
  /** Writes settings. They replace previously written ones. */
  write(settings: ClientSettings): void
  /**
   * Undoes the change: restores the exact file if it wasn't changed since, otherwise the individual
   * values. With `force`, always restores the exact file.
   */
  undo(options: { readonly force: boolean }): void
}

/** The settings of a client in a file. `folder` is for the records of changes. */
export function connectionOf(client: string, file: string, folder: string): Connection {
  const memory = join(folder, 'connect', `${client}.json`)

  function remembered(): Written | undefined {
    const { text } = readClientFile(memory)
    if (text === undefined) return undefined
    const written = parsed(text)
    if (written) return written
    throw new UserError(
      'data',
      `${memory} was changed by another program. Remove it, and the settings in ${file} by hand`,
    )
  }

  /** The changes that would be made. */
  function plan(settings: ClientSettings): { known: Written | undefined; next: Written } {
    const known = remembered()
    const now = readClientFile(file)
    if (known && readClientFile(known.file).path !== now.path)
      throw new UserError(
        'data',
        `${client} is already connected by ${known.file}, not ${now.path}. Undo that first: toolglot connect ${client} --undo`,
      )
    const before = known ? undone(known) : now.text
    const mode = known ? known.mode : (now.mode ?? null)
    const after = withSettings(now.path, before, settings)
    return { known, next: { file: now.path, before: before ?? null, mode, settings, after } }
  }

  const remember = (written: Written): void => writeWhole(memory, `${JSON.stringify(written)}\n`)

  return {
    isWritten: () => readClientFile(memory).text !== undefined,
    check: (settings) => void plan(settings),
    write(settings) {
      const { known, next } = plan(settings)
      // Recorded first, so that every change can be undone.
      remember(next)
      try {
        inPlainWords(file, () => writeWhole(next.file, next.after))
      } catch (error) {
        if (known) remember(known)
        else rmSync(memory)
        throw error
      }
    },
    undo({ force }) {
      const known = remembered()
      if (!known) throw new UserError('data', `Nothing to undo for ${client}`)
      const { path } = readClientFile(known.file)
      const restored = force ? (known.before ?? undefined) : undone(known)
      inPlainWords(known.file, () => {
        if (restored === undefined) return rmSync(path, { force: true })
        writeWhole(path, restored)
        chmodSync(path, known.mode ?? 0o600)
      })
      rmSync(memory)
    },
  }
}

/** The file's text without the change; undefined if the file would not exist. */
function undone({ file, before, settings, after }: Written): string | undefined {
  const { text: now } = readClientFile(file)
  const earlier = before ?? undefined
  // A file that was removed since is not restored.
  if (now === undefined || now === after || now === earlier)
    return now === undefined ? now : earlier
  return withoutSettings(file, now, earlier, settings)
}

function parsed(text: string): Written | undefined {
  try {
    const written = JSON.parse(text) as Partial<Written> | null
    const { file, after, settings } = written ?? {}
    const isWhole = typeof file === 'string' && typeof after === 'string' && Boolean(settings)
    return isWhole ? (written as Written) : undefined
  } catch {
    // The file is not JSON.
    return undefined
  }
}

/**
 * Reads a file of another program. Throws a UserError if it could not be replaced and restored
 * exactly: a dangling link, not a regular file, or not text.
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

/** Runs an operation on a file. System errors become UserErrors. */
function inPlainWords<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (error instanceof UserError || syscall === undefined) throw error
    throw unusable(file, REASONS[code ?? ''] ?? `error ${code}`)
  }
}

/** The path with links resolved, even if the file does not exist. */
function actualPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // The link's target may be on a disk that is not mounted.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw unusable(path, 'a link to a missing file')
    const parent = dirname(path)
    return parent === path ? path : join(actualPath(parent), basename(path))
  }
}

function unusable(file: string, reason: string): UserError {
  const problem = visibleLine(`cannot read and write ${file}: ${reason}`)
  return new UserError('data', `${problem}; fix that, or change the settings by hand`)
}

/** A client that can be connected to the gateway: the place and the content of its settings. */
export interface Client {
  /** The name on the command line, such as `claude-code`. */
  readonly id: string
  readonly name: string
  /** The path of its settings file. Undefined if users have to edit the settings by hand. */
  readonly file?: (folders: ClientFolders) => string
  readonly settings: (gateway: GatewayAddress) => ClientSettings
  /** The command for starting it once it is connected, or the next step. */
  readonly next: string
}

/** The folders with the settings of clients. */
interface ClientFolders {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The address of the gateway, with its token and model. */
export interface GatewayAddress {
  /** The gateway's address without a path, such as `http://127.0.0.1:4747`. */
  readonly url: string
  readonly token: string
  /** The name of a model available at the gateway. */
  readonly model: string
}

/**
 * Values in a JSON file that may contain other settings, each with its path; or the content of a
 * file that only this command writes.
 */
export type ClientSettings = { readonly values: readonly SettingAt[] } | { readonly text: string }

/** A value and its path. */
export type SettingAt = readonly [path: readonly string[], value: unknown]
