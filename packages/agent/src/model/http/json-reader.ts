import { createParser } from 'eventsource-parser'
import { timeLimit, type TimeLimit, unlessAborted } from '../../time/time-limit.ts'
import { asObject } from '../as-object.ts'
import { readText } from './read-text.ts'
import { GarbledReply, HtmlReply, StreamedError, readErrorBody } from './reply-errors.ts'

type Fields = Readonly<Record<string, unknown>>

/** The limits of a response body, and its form if it is JSON without events. */
export interface JsonReaderOptions {
  readonly maxBytes: number
  /** Waits for the next piece. Allows the caller to apply a time limit. */
  readonly waitFor: <Piece>(work: Promise<Piece>) => Promise<Piece>
  /** The form of JSON without events: one document per line, or a single one. Default: lines. */
  readonly json?: 'lines' | 'whole'
}

/**
 * Reads the JSON documents in a response, which may be server-sent events, lines, or a single
 * document.
 */
export class JsonReader {
  readonly #response: Response
  readonly #options: JsonReaderOptions
  #isDone = false

  constructor(response: Response, options: JsonReaderOptions) {
    this.#response = response
    this.#options = options
  }

  /** True if the end of the reply was marked: by `[DONE]`, or by the end of a single document. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** The documents, grouped as they arrived. */
  async *batches(): AsyncGenerator<readonly string[], void, void> {
    const { maxBytes, waitFor, json = 'lines' } = this.#options
    const events = createEventReader(Math.min(maxBytes, MAX_TEXT))
    // After the end, the server gets a moment to finish the response, so that the connection can be
    // reused.
    let closing: TimeLimit | undefined
    const limits = {
      maxBytes,
      waitFor: <Piece>(work: Promise<Piece>): Promise<Piece> =>
        closing ? unlessAborted(closing.signal, work) : waitFor(work),
    }
    let form: 'events' | 'lines' | 'whole' | undefined
    let pending = ''
    let tail = ''
    let isEmpty = true
    try {
      for await (const text of readText(this.#response.body, limits)) {
        if (this.#isDone) continue
        pending = form ? pending + text : (pending + text).trimStart()
        if (pending === '') continue
        form ??= isEventStream(pending) ? 'events' : json
        if (form === 'whole') continue
        let texts: readonly string[]
        if (form === 'events') {
          tail = (tail + pending.slice(-20)).slice(-20)
          texts = events.feed(pending)
          pending = ''
        } else {
          const end = pending.lastIndexOf('\n')
          texts = pending.slice(0, Math.max(0, end)).split('\n').filter(isFilled)
          pending = pending.slice(end + 1)
          if (pending.length > MAX_TEXT)
            throw new GarbledReply(`a line is longer than ${MAX_TEXT} characters`)
        }
        isEmpty &&= texts.length === 0
        const end = form === 'events' ? texts.findIndex((each) => each.trim() === '[DONE]') : -1
        this.#isDone = end >= 0
        if (end !== 0 && texts.length > 0) yield end < 0 ? texts : texts.slice(0, end)
        if (this.#isDone) closing = timeLimit(CLOSE_TIMEOUT)
      }
    } catch (error) {
      // Errors after the end, such as a broken connection, do not matter.
      if (!this.#isDone) throw error
    } finally {
      closing?.end()
    }
    if (isFilled(pending)) yield [pending]
    else if (isEmpty) throw new GarbledReply('the response is empty')
    // The last line may have no line break.
    this.#isDone ||= form === 'whole' || /data: ?\[DONE\]\s*$/.test(tail)
  }

  /** The objects in the documents. */
  async *objects(): AsyncGenerator<Fields, void, void> {
    for await (const texts of this.batches()) for (const text of texts) yield parseObject(text)
  }
}

const isFilled = (text: string): boolean => text.trim() !== ''

/** The maximum length of an event or a line. */
const MAX_TEXT = 16 << 20

/** The time for a server to close the connection after its reply, in milliseconds. */
const CLOSE_TIMEOUT = 50

/** True if a body starts like a stream of events rather than JSON. */
function isEventStream(start: string): boolean {
  if (start.startsWith('{')) return false
  if (/^(:|data|event|id|retry|[a-z]{1,4}$)/.test(start)) return true
  throw start.startsWith('<') ? new HtmlReply(start) : new GarbledReply(`it starts with ${start}`)
}

/**
 * Parses a JSON object. Throws a StreamedError for an error reported by the server, and a
 * GarbledReply for anything else.
 */
export function parseObject(json: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    // The text is not JSON.
    throw new GarbledReply(`it is not JSON: ${json}`)
  }
  const object = asObject(value)
  if (!object) throw new GarbledReply(`it is not an object: ${json}`)
  const { error, choices, object: type } = object
  const isReply = choices !== undefined
  if (!error && type !== 'error' && (isReply || !('detail' in object))) return object
  const body = readErrorBody(object) ?? (error && !isReply ? { message: json } : undefined)
  if (body) throw new StreamedError(body)
  return object
}

/**
 * Reads the data of server-sent events from streamed text. An event with the same id as the
 * previous one is skipped.
 */
export function createEventReader(maxEvent: number): { feed(text: string): string[] } {
  let pending: string[] = []
  let lastId: string | undefined
  const parser = createParser({
    maxBufferSize: maxEvent,
    onEvent({ id, data }) {
      if (id !== undefined && id !== '' && id === lastId) return
      lastId = id
      pending.push(data)
    },
    onError({ type, line }) {
      if (type === 'invalid-retry') return
      throw new GarbledReply(
        type === 'max-buffer-size-exceeded'
          ? `an event is longer than ${maxEvent} characters`
          : `a line is not part of an event: ${line ?? ''}`,
      )
    },
  })
  return {
    feed(text) {
      pending = []
      parser.feed(text)
      return pending
    },
  }
}
