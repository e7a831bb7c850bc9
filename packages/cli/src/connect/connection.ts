import { chmodSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '@toolglot/workspace'
import { writeWhole } from '@toolglot/workspace/internal'
import type { ClientSettings } from './client.ts'
import { withoutSettings, withSettings } from './edit-file.ts'

/** What is remembered of a client's file, to undo what was written. */
interface Written {
  readonly file: string
  /** All of the file before; null if there was none. */
  readonly before: string | null
  readonly mode: number | null
  readonly settings: ClientSettings
  /** All of the file after. */
  readonly after: string
}

/** The settings of one client, which are written and undone. */
export interface Connection {
  /** Whether something was written that was not undone. */
  isWritten(): boolean
  /** Writes settings, in place of those that were written before. What is wrong with the file is thrown before they are made. */
  write(example: ClientSettings, make: () => ClientSettings): void
  /**
   * Restores what was there: to the byte if nobody changed the file since, otherwise the values that were written. With `force`
   * to the byte in any case.
   */
  undo(options: { readonly force: boolean }): void
}

/** The settings of a client in a file. `folder` is where it is remembered what was there. */
export function connectionOf(client: string, file: string, folder: string): Connection {
  const memory = join(folder, 'connect', `${client}.json`)

  function remembered(): Written | undefined {
    const text = read(memory)
    return text === undefined ? undefined : (JSON.parse(text) as Written)
  }

  return {
    isWritten: () => remembered() !== undefined,
    write(example, make) {
      const known = remembered()
      const target = known?.file ?? actual(file)
      const before = known ? undone(known) : read(target)
      withSettings(target, before, example)
      const settings = make()
      const after = withSettings(target, before, settings)
      const mode = known ? known.mode : modeOf(target)
      const written: Written = { file: target, before: before ?? null, mode, settings, after }
      // Remembered first: what was written can always be undone.
      writeWhole(memory, `${JSON.stringify(written)}\n`)
      writeWhole(target, after)
    },
    undo({ force }) {
      const known = remembered()
      if (!known)
        throw new UserError('data', {
          expected: `settings of ${client} that this command has written`,
          got: 'none',
          advice: 'there is nothing to undo',
        })
      const restored = force ? (known.before ?? undefined) : undone(known)
      if (restored === undefined) rmSync(known.file, { force: true })
      else {
        writeWhole(known.file, restored)
        chmodSync(known.file, known.mode ?? 0o600)
      }
      rmSync(memory)
    },
  }
}

/** What the file says without what was written; undefined if there is none then. */
function undone({ file, before, settings, after }: Written): string | undefined {
  const now = read(file)
  const earlier = before ?? undefined
  // A file that somebody removed is not restored to what it said.
  if (now === undefined || now === after || now === earlier)
    return now === undefined ? now : earlier
  return withoutSettings(file, now, earlier, settings)
}

function modeOf(file: string): number | null {
  try {
    return statSync(file).mode & 0o777
  } catch {
    // It is not there yet.
    return null
  }
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

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
