import { createHash } from 'node:crypto'
import { chmodSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '@toolglot/workspace'
import { writeWhole } from '@toolglot/workspace/internal'

/** What is remembered of a client's settings, to undo what was written. */
interface Written {
  readonly file: string
  /** All bytes of the file before, in Base64; null if there was none. */
  readonly before: string | null
  readonly mode: number | null
  /** What was written, as its SHA-256. */
  readonly after: string
}

/** The settings of one client, which are changed and changed back. */
export interface Connection {
  /** Whether something was written that was not undone. */
  isWritten(): boolean
  /** Changes the file. Undoing it afterwards restores what was there before the first change. */
  write(change: (before: string | undefined) => string): void
  /** Restores what was there; with `force`, even if others changed the file since. */
  undo(options: { readonly force: boolean }): void
}

/** The settings of a client in a file. `folder` is where it is remembered what was there. */
export function connectionOf(client: string, file: string, folder: string): Connection {
  const memory = join(folder, 'connect', `${client}.json`)

  function remembered(): Written | undefined {
    const text = read(memory)
    return text && (JSON.parse(text.toString()) as Written)
  }

  return {
    isWritten: () => remembered() !== undefined,
    write(change) {
      const known = remembered()
      const target = known?.file ?? actual(file)
      const now = read(target)
      if (known && !isUnchanged(known, now)) throw changedSince(target, client)
      const first = known ?? factsOf(target, now)
      const before = first.before === null ? undefined : Buffer.from(first.before, 'base64')
      const text = change(before?.toString())
      // Remembered first: what was written can always be undone.
      writeWhole(memory, `${JSON.stringify({ ...first, after: hashOf(Buffer.from(text)) })}\n`)
      writeWhole(target, text)
    },
    undo({ force }) {
      const known = remembered()
      if (!known)
        throw new UserError('data', {
          expected: `settings of ${client} that this command has written`,
          got: 'none',
          advice: 'there is nothing to undo',
        })
      const now = read(known.file)
      const isRestored = (now?.toString('base64') ?? null) === known.before
      if (!isRestored && !isUnchanged(known, now) && !force) throw changedSince(known.file, client)
      if (known.before === null) rmSync(known.file, { force: true })
      else {
        writeWhole(known.file, Buffer.from(known.before, 'base64'))
        chmodSync(known.file, known.mode ?? 0o600)
      }
      rmSync(memory)
    },
  }
}

function isUnchanged({ after }: Written, now: Buffer | undefined): boolean {
  return now !== undefined && hashOf(now) === after
}

function factsOf(file: string, now: Buffer | undefined): Omit<Written, 'after'> {
  if (!now) return { file, before: null, mode: null }
  return { file, before: now.toString('base64'), mode: statSync(file).mode & 0o777 }
}

/** The file itself, if there is a link to it. */
function actual(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    // It is not there yet.
    return file
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function changedSince(file: string, client: string): UserError {
  return new UserError('data', {
    expected: `${file} to be as this command wrote it`,
    got: 'a file that was changed since',
    advice: `toolglot connect ${client} --undo --force restores what was there before, without those changes`,
  })
}
