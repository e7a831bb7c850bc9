// Folder: `--batch`: many prompts from a file.
import { isUtf8 } from 'node:buffer'
import { UserError } from '@toolglot/workspace'
import { describe, toJson } from '../show/text/json.ts'
import { write, type Screen } from '../terminal.ts'

/** A line of input, or a marker for a line that was too long to keep. */
type Line = { readonly bytes: Uint8Array } | { readonly tooLong: true }

/**
 * The maximum length of a line: more than any request needs, and less than the maximum length of a
 * JavaScript string.
 */
const MAX_LINE_BYTES = 256 * 1024 * 1024

const lineFeed = 0x0a

const space = 0x20

/**
 * JSON Lines in, JSON Lines out. Each request is answered before the next is read, so only one is
 * in memory at a time. Answers invalid requests with an error.
 */
export async function batch(
  input: AsyncIterable<Uint8Array>,
  output: Screen,
  answer: (request: Record<string, unknown>, json: string) => object | Promise<object>,
  onWarning: (message: string) => void,
): Promise<void> {
  let number = 0
  for await (const line of linesOf(input)) {
    number++
    const onInvalid = (): void =>
      onWarning(`request ${number} is not valid UTF-8: invalid bytes are read as U+FFFD (\ufffd)`)
    await write(output, `${await answerLine(line, answer, onInvalid)}\n`)
  }
}

async function answerLine(
  line: Line,
  answer: (request: Record<string, unknown>, json: string) => object | Promise<object>,
  onInvalid: () => void,
): Promise<string> {
  let id: unknown = null
  try {
    const json = textOf(line, onInvalid)
    const request = objectOf(json)
    id = request['id'] ?? null
    return toJson(await answer(request, json))
  } catch (error) {
    // The request is invalid, or the answer is longer than the maximum length of a string.
    return toJson({ id, error: error instanceof Error ? error.message : String(error) })
  }
}

function textOf(line: Line, onInvalid: () => void): string {
  if ('tooLong' in line) throw requestError('The request is longer than 256 MB')
  if (!isUtf8(line.bytes)) onInvalid()
  return new TextDecoder().decode(line.bytes)
}

function objectOf(json: string): Record<string, unknown> {
  const value = parseJson(json)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw requestError(`The request must be an object, not ${describe(value)}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The text is not JSON: the engine's message contains the position.
    const problem = error instanceof Error ? error.message : String(error)
    throw requestError(`The line is not JSON (${problem}). Write each request on its own line`)
  }
}

function requestError(message: string): UserError {
  return new UserError('data', message)
}

/** Splits bytes at line feeds, keeping one line in memory at a time. Skips lines of whitespace. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  { limit = MAX_LINE_BYTES }: { limit?: number } = {},
): AsyncIterable<Line> {
  let held: Uint8Array[] = []
  let length = 0

  const hold = (bytes: Uint8Array): void => {
    length += bytes.length
    if (length > limit) held = []
    else if (bytes.length > 0) held.push(bytes)
  }
  function* release(): Iterable<Line> {
    if (length > limit) yield { tooLong: true }
    else if (held.some((bytes) => bytes.some((byte) => byte > space))) {
      yield { bytes: Buffer.concat(held) }
    }
    held = []
    length = 0
  }

  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      hold(chunk.subarray(from, at))
      yield* release()
      from = at + 1
    }
    hold(chunk.subarray(from))
  }
  yield* release()
}
