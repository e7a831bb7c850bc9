import { closeSync, lstatSync, openSync, realpathSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'
import { readTextFile } from '@toolglot/permissions/node/internal'
import { UserError } from '@toolglot/workspace'
import { writeWhole } from '@toolglot/workspace/internal'
import { type Scope, SCOPES } from '../route.ts'

/** The content of the token file. */
export interface TokenFileContent {
  /** The main token itself, which `toolglot token` prints. */
  readonly main: string
  readonly tokens: readonly StoredToken[]
}

/** A token, stored only as its digest. */
export interface StoredToken {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The SHA-256 of the token, in hexadecimal. */
  readonly digest: string
  readonly created: number
}

/** A file of tokens that several processes read and change. */
export interface TokenFile {
  /** Returns the current content. Changes by other processes take effect immediately. */
  read(): TokenFileContent
  /** Changes the content. Concurrent changes are applied one after the other. */
  change(change: (content: TokenFileContent) => TokenFileContent): void
}

const MAX_SIZE = 1024 * 1024
const LOCK_STALE = 10_000

/**
 * Opens a file of tokens, and creates it if necessary. Throws a UserError if other users can read
 * or change it.
 */
export function openTokenFile(file: string, newToken: () => string): TokenFile {
  makeFolder(dirname(file))
  checkFolder(dirname(file))
  let known: { readonly mark: string; readonly content: TokenFileContent } | undefined

  const load = (): TokenFileContent => {
    const mark = markOf(file)
    if (known?.mark !== mark) known = { mark, content: parse(file, readPrivateFile(file)) }
    return known.content
  }
  const save = (content: TokenFileContent): void => {
    writeWhole(file, `${JSON.stringify({ version: 1, ...content }, null, 2)}\n`)
    load()
  }

  if (!exists(file)) {
    locked(file, () => {
      // Another process may have created it in the meantime.
      if (!exists(file)) save({ main: newToken(), tokens: [] })
    })
  }
  load()

  return {
    read() {
      try {
        return load()
      } catch (error) {
        known = undefined
        throw error
      }
    },
    change: (change) => locked(file, () => save(change(load()))),
  }
}

/**
 * The reason why a file of tokens is unusable. Undefined if it is usable or doesn't exist yet.
 * Changes nothing.
 */
export function tokenFileProblem(file: string): string | undefined {
  try {
    if (!exists(file)) return undefined
    checkFolder(dirname(file))
    parse(file, readPrivateFile(file))
    return undefined
  } catch (error) {
    // All other errors are about the folder rather than the tokens.
    return error instanceof UserError ? error.message : undefined
  }
}

/** A value that changes whenever the file is replaced or changed. */
function markOf(file: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}

/** The text of a regular file that only this user can read and change. */
function readPrivateFile(file: string): string {
  const content = readTextFile(file, MAX_SIZE, { followLinks: false })
  if (!('text' in content)) {
    const reason = 'missing' in content ? 'it was removed' : content.reason
    throw new UserError('data', `Cannot use ${file}: ${reason}. ${REMOVE}`)
  }
  const { text, status } = content
  const user = process.getuid?.()
  if (user !== undefined && status.uid !== user) {
    throw unsafe(
      file,
      `it belongs to another user (${status.uid}; you are ${user})`,
      'Run as that user',
    )
  }
  if (status.mode & 0o077) {
    throw unsafe(
      file,
      `its mode is ${(status.mode & 0o777).toString(8)}`,
      `Others may have read the tokens: run chmod 600 ${file}, then replace the main token`,
    )
  }
  return text
}

const REMOVE = 'Remove it; new tokens are then created'

function checkFolder(named: string): void {
  // The mode of a link is meaningless, so its target is checked.
  const folder = realpathSync(named)
  const { mode } = lstatSync(folder)
  // Any user who can write to the folder could replace the file.
  if (mode & 0o022 && !(mode & 0o1000)) {
    throw new UserError(
      'data',
      `Other users can change ${folder}, the folder of the tokens (mode ${(mode & 0o777).toString(8)}). Run chmod go-w ${folder}`,
    )
  }
}

function parse(file: string, text: string): TokenFileContent {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw damaged(file)
  }
  const { version, main, tokens } = Object(value) as Record<string, unknown>
  if (version !== 1 || typeof main !== 'string' || main.length < 32 || !Array.isArray(tokens)) {
    throw damaged(file)
  }
  return {
    main,
    tokens: tokens.map((each: unknown) => {
      const { name, scopes, digest, created } = Object(each) as Record<string, unknown>
      if (
        typeof name !== 'string' ||
        !Array.isArray(scopes) ||
        !scopes.every((scope: unknown): scope is Scope => SCOPES.includes(scope as Scope)) ||
        typeof digest !== 'string' ||
        !/^[0-9a-f]{64}$/.test(digest) ||
        typeof created !== 'number'
      )
        throw damaged(file)
      return { name, scopes, digest, created }
    }),
  }
}

function unsafe(file: string, why: string, advice: string): UserError {
  return new UserError(
    'data',
    `${file} must be owned by you and readable only by you, but ${why}. ${advice}`,
  )
}

function damaged(file: string): UserError {
  return new UserError('data', `${file} isn't a token file for this version of Toolglot. ${REMOVE}`)
}

/** Runs a function while holding the lock for a file. */
function locked(file: string, run: () => void): void {
  const lock = `${file}.lock`
  const deadline = Date.now() + LOCK_STALE
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0o600))
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const since = lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    // The lock's owner has crashed: a change takes milliseconds.
    if (Date.now() - since > LOCK_STALE || Date.now() > deadline) rmSync(lock, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  }
  try {
    run()
  } finally {
    rmSync(lock, { force: true })
  }
}
