import type { Item, PromptItem } from '@toolglot/react/view'
import { isObject } from '../schema/resolve-schema.ts'

/** A message that was sent to a run while it worked. */
export interface SentMessage {
  readonly text: string
  /** How many messages the run had then. Other items come and go while it works. */
  readonly after: number
}

/** The messages among the items of a run. */
export function promptsIn(items: readonly Item[]): readonly PromptItem[] {
  return items.filter((item) => item.type === 'prompt')
}

/** The messages that the run has not read yet. After a reload, nothing is known about one until all before it have come. */
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

/** Messages as a text that `readSent` reads; undefined if there are none. */
export function writeSent(sent: readonly SentMessage[]): string | undefined {
  return sent.length > 0 ? JSON.stringify(sent) : undefined
}

/** Undoes it. What the browser kept may be anything. */
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
