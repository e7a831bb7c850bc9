import type { Item, PromptItem } from '@toolglot/react/view'

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

/** The messages that the run has not read yet. */
export function unreadMessages(
  sent: readonly SentMessage[],
  prompts: readonly Pick<PromptItem, 'text'>[],
): readonly SentMessage[] {
  const read = new Set<number>()
  return sent.filter(({ text, after }) => {
    const at = prompts.findIndex(
      (prompt, index) => index >= after && !read.has(index) && prompt.text.startsWith(text),
    )
    if (at >= 0) read.add(at)
    return at < 0
  })
}
