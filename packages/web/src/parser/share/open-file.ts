import { MAX_FILE } from '../limits.ts'
import { changeParser, loadReply } from '../parser-store.ts'
import { type OpenedReply, readShared } from './shared-reply.ts'

/** Shows what was opened, and says what is wrong with it. `from` is what of the address it is. */
export function showOpened({ reply, problem }: OpenedReply, from?: string): void {
  if (reply) loadReply(reply, problem, from)
  else changeParser({ notice: problem, from })
}

/** Opens a file: one that was shared, or any text. Its size is checked before it is read. */
export async function openFile(file: File): Promise<void> {
  if (file.size > MAX_FILE) {
    showOpened({ problem: { type: 'file-too-large' } })
    return
  }
  try {
    showOpened(readShared(await file.text()))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    changeParser({ notice: { type: 'failed', message } })
  }
}
