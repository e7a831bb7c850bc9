import { MAX_INFLATED, MAX_LINK } from './limits.ts'
import {
  type OpenedReply,
  readShared,
  type SharedReply,
  writeShared,
} from './share/shared-reply.ts'

/** The maximum number of arguments in one function call. */
const CHARACTERS = 8192

const START = 'reply='

/**
 * A link that opens this reply in the Parser: `/parser#reply=…`. The text is in the fragment, which
 * is not sent to servers. Undefined if it is too long for a link; share a file instead.
 */
export async function parserLink(
  text: string,
  options: Omit<SharedReply, 'text'> = {},
): Promise<string | undefined> {
  const fragment = await replyFragment({ text, ...options })
  return fragment && `/parser#${fragment}`
}

/** The part of a link after `#`, which contains the reply. */
export async function replyFragment(reply: SharedReply): Promise<string | undefined> {
  const compressed = await compress(writeShared(reply))
  return compressed.length <= MAX_LINK ? START + compressed : undefined
}

/** The reply in the fragment of a link; undefined if there is none. */
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

/** Compresses a text for a link: deflate, encoded as URL-safe base64. */
async function compress(text: string): Promise<string> {
  const bytes = await collect(
    stream(new TextEncoder().encode(text)).pipeThrough(new CompressionStream('deflate-raw')),
    Infinity,
  )
  let binary = ''
  for (let at = 0; at < bytes!.length; at += CHARACTERS)
    binary += String.fromCharCode(...bytes!.subarray(at, at + CHARACTERS))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * The reverse of `compress`. Stops and returns undefined as soon as the text exceeds `max` bytes.
 * Throws if the data is corrupt.
 */
async function decompress(compressed: string, max: number): Promise<string | undefined> {
  const binary = atob(compressed.replaceAll('-', '+').replaceAll('_', '/'))
  const given = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  const bytes = await collect(
    stream(given).pipeThrough(new DecompressionStream('deflate-raw')),
    max,
  )
  return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

function stream(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
}

async function collect(
  source: ReadableStream<Uint8Array>,
  max: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = source.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > max) {
      void reader.cancel().catch(() => {})
      return undefined
    }
    chunks.push(value)
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
