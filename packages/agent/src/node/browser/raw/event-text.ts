import { ModelError } from '../../../model/model-error.ts'
import { createEventReader } from '../../../model/http/json-reader.ts'
import { GarbledReply } from '../../../model/http/reply-errors.ts'
import { plainLine } from '../../../model/plain-line.ts'
import { MAX_TEXT } from '../look.ts'
import type { RawText } from '../site.ts'

/** Extracts the text of a reply from the events of a response. */
export interface EventText {
  /** Adds the next part of the response. Returns the new text. */
  feed(part: string): string
  /** Returns the text of a last line without a line break. */
  end(): string
  /** The number of events. */
  readonly events: number
}

/**
 * Reads the events of a response and extracts the text at a path in each one. Events without it are
 * skipped.
 */
export function createEventText({
  events: kind = 'sse',
  text: path,
  whole = false,
}: Pick<Extract<RawText, { from: 'network' }>, 'events' | 'text' | 'whole'>): EventText {
  const keys = path.split('.')
  const reader = kind === 'sse' ? createEventReader(MAX_BYTES) : createLineReader()
  let events = 0
  let bytes = 0
  let known = ''
  let length = 0
  const read = (data: string): string => {
    events++
    const value = valueAt(parse(data), keys)
    if (value === undefined) return ''
    if (!whole) return value
    // Returned text cannot be taken back.
    if (!value.startsWith(known)) throw new ModelError('garbled', CHANGED)
    const added = value.slice(known.length)
    known = value
    return added
  }
  const readAll = (datas: readonly string[]): string => {
    const added = datas.map(read).join('')
    length += added.length
    if (length > MAX_TEXT)
      throw new ModelError('too_long', `The reply exceeds ${MAX_TEXT} characters.`)
    return added
  }
  const split = (part: string): string[] => {
    try {
      return reader.feed(part)
    } catch (error) {
      if (!(error instanceof GarbledReply)) throw error
      throw new ModelError(
        'garbled',
        `The response behind the page is not a stream of server-sent events: ${plainLine(error.message)}. Correct raw.url or raw.events in the site file, or try again.`,
      )
    }
  }
  return {
    feed(part) {
      bytes += part.length
      if (bytes > MAX_BYTES)
        throw new ModelError('too_long', `The response of the page exceeds ${MAX_BYTES} bytes.`)
      return readAll(split(part))
    },
    // The last event may have no line breaks after it.
    end: () => readAll(split('\n\n')),
    get events() {
      return events
    },
  }
}

const MAX_BYTES = 16 << 20

const CHANGED =
  'The page changed the beginning of its reply: remove `whole` in the site file if its events do not repeat the text.'

function createLineReader(): { feed(text: string): string[] } {
  // In pieces, because a line may arrive in any number of them.
  let rest: string[] = []
  return {
    feed(text) {
      rest.push(text)
      if (!text.includes('\n')) return []
      const lines = rest.join('').split('\n')
      rest = [lines.pop() ?? '']
      return lines.map((line) => line.trim()).filter((line) => line !== '')
    },
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    // A heartbeat, or `[DONE]`.
    return undefined
  }
}

function valueAt(value: unknown, keys: readonly string[]): string | undefined {
  let at = value
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return typeof at === 'string' ? at : undefined
}
