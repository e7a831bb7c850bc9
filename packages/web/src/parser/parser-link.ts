import { MAX_INFLATED, MAX_LINK } from './limits.ts'
import { compress, decompress } from './share/compressed.ts'
import {
  type OpenedReply,
  readShared,
  type SharedReply,
  writeShared,
} from './share/shared-reply.ts'

const START = 'reply='

/**
 * An address of the Parser that shows this reply: `/parser#reply=…`. The text is in the fragment, which no server sees.
 * Undefined if it is too long for an address: then share it as a file.
 */
export async function parserLink(
  text: string,
  options: Omit<SharedReply, 'text'> = {},
): Promise<string | undefined> {
  const fragment = await replyFragment({ text, ...options })
  return fragment && `/parser#${fragment}`
}

/** The part of an address after `#` that carries a reply. */
export async function replyFragment(reply: SharedReply): Promise<string | undefined> {
  const compressed = await compress(writeShared(reply))
  return compressed.length <= MAX_LINK ? START + compressed : undefined
}

/** The reply in the fragment of an address; undefined if it carries none. */
export async function replyInFragment(fragment: string): Promise<OpenedReply | undefined> {
  const plain = fragment.replace(/^#/, '')
  if (!plain.startsWith(START)) return undefined
  try {
    const content = await decompress(plain.slice(START.length), MAX_INFLATED)
    return content === undefined ? { problem: { type: 'too-large' } } : readShared(content)
  } catch {
    return { problem: { type: 'broken' } }
  }
}
