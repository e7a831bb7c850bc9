import type { Item, PromptItem } from '@toolglot/react/view'
import { isObject } from '../schema/resolve-schema.ts'

/** A message sent to a run while it worked. */
export interface SentMessage {
  readonly text: string
  /** The number of messages in the run at that time. Other items may come and go. */
  readonly after: number
}

/** The messages among the items of a run. */
export function promptsIn(items: readonly Item[]): readonly PromptItem[] {
  return items.filter((item) => item.type === 'prompt')
}

/**
 * The messages that the run has not read yet. After a reload, a message is left out until all
 * messages before it have been loaded.
 */
export function unreadMessages(
  sent: readonly SentMessage[],
  prompts: readonly Pick<PromptItem, 'text'>[],
): readonly SentMessage[] {
  const read = new Set<number>()
  return sent.filter(({ text, after }) => {
    if (prompts.length < after) return false
    const at = prompts.findIndex(
      (prompt, index) => index >= after && !read.has(index) && prompt.text.startsWith(text),
    )
    if (at >= 0) read.add(at)
    return at < 0
  })
}

/** Serializes messages for `readSent`; undefined if there are none. */
export function writeSent(sent: readonly SentMessage[]): string | undefined {
  return sent.length > 0 ? JSON.stringify(sent) : undefined
}

/** The reverse of `writeSent`. The stored text may be invalid. */
export function readSent(stored: string | undefined): readonly SentMessage[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(value) ? value.filter(isSentMessage) : []
  } catch {
    // Not JSON.
    return []
  }
}

function isSentMessage(value: unknown): value is SentMessage {
  return isObject(value) && typeof value['text'] === 'string' && Number.isInteger(value['after'])
}
