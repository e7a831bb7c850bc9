import { noSuchPath } from '@toolglot/permissions/errors/internal'
import { createReadStream } from 'node:fs'
import { openRegularFile } from '@toolglot/permissions/node/internal'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'

/** The bytes of a file on the command line. Throws a UserError if it cannot be read. */
export async function* bytesOf(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path, OWN_INPUT.test(path) ? {} : { fd: openedFile(path) })
  } catch (error) {
    if (error instanceof UserError) throw error
    throw unreadable(path, `reading it failed (${(error as Error).message})`)
  }
}

/** A file that the shell has already opened, such as `<(command)`, which may be a pipe. */
const OWN_INPUT = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/\d+)$/

function openedFile(path: string): number {
  const opened = openRegularFile(path)
  if ('missing' in opened) throw new UserError('data', noSuchPath('file', quote(path)))
  if ('reason' in opened) throw unreadable(path, opened.reason)
  return opened.descriptor
}

function unreadable(path: string, reason: string): UserError {
  return new UserError('data', `Cannot read ${quote(path)}: ${reason}`)
}
