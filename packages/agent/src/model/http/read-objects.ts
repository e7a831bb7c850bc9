import { asObject } from '../as-object.ts'
import { createEventReader } from './event-reader.ts'
import { readErrorBody } from './error-body.ts'
import { GarbledReply, HtmlReply } from './garbled-reply.ts'
import { readText } from './read-text.ts'

/** The error that a server reported inside a stream. */
export class StreamedError extends Error {
  readonly code: string | number | undefined

  constructor(message: string, code: string | number | undefined) {
    super(message)
    this.code = code
  }
}

/** Reads the JSON objects of a response: server-sent events, one object a line, or one object. */
export async function* readObjects(
  response: Response,
  options: {
    readonly maxBytes: number
    readonly waitFor: <Piece>(work: Promise<Piece>) => Promise<Piece>
  },
): AsyncGenerator<Readonly<Record<string, unknown>>, void, void> {
  const events = createEventReader(Math.min(options.maxBytes, MAX_EVENT))
  let kind: 'events' | 'lines' | undefined
  let pending = ''
  for await (const text of readText(response.body, options)) {
    pending = kind ? pending + text : (pending + text).trimStart()
    if (pending === '') continue
    kind ??= kindOf(pending)
    if (kind === 'events') {
      const datas = events.feed(pending)
      pending = ''
      for (const data of datas) {
        if (data.trim() === '[DONE]') return
        yield objectIn(data)
      }
    } else {
      const end = pending.lastIndexOf('\n')
      const lines = pending.slice(0, Math.max(0, end)).split('\n')
      pending = pending.slice(end + 1)
      if (pending.length > MAX_EVENT)
        throw new GarbledReply(`a line is longer than ${MAX_EVENT} characters`)
      for (const line of lines) if (line.trim() !== '') yield objectIn(line)
    }
  }
  if (kind === undefined) throw new GarbledReply('the response is empty')
  if (kind === 'lines' && pending.trim() !== '') yield objectIn(pending)
}

const MAX_EVENT = 16 << 20

function kindOf(text: string): 'events' | 'lines' {
  if (text.startsWith('{')) return 'lines'
  if (text.startsWith('<')) throw new HtmlReply(text)
  return 'events'
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Not JSON.
    throw new GarbledReply(`expected JSON, got ${text}`)
  }
  const object = asObject(value)
  if (!object) throw new GarbledReply(`expected an object, got ${text}`)
  if (object['error']) {
    const { message, code } = readErrorBody(object) ?? { message: text }
    throw new StreamedError(message, code)
  }
  return object
}
