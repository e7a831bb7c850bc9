import { readStored, writeStored } from '../app/stored.ts'
import { readShared, type SharedReply, writeShared } from './share/shared-reply.ts'

const KEY = 'toolglot-parser-reply'

/** The reply that this tab showed before it was loaded again, with how it was read; undefined if there was none. */
export function storedReply(): SharedReply | undefined {
  const stored = readStored(KEY, 'tab')
  return stored === undefined ? undefined : readShared(stored).reply
}

/** Stores the reply until the tab is closed; undefined removes it. One that is too long is not stored, and neither is another one. */
export function storeReply(reply: SharedReply | undefined): void {
  const isStored = writeStored(KEY, reply && writeShared(reply), 'tab')
  if (!isStored) writeStored(KEY, undefined, 'tab')
}
