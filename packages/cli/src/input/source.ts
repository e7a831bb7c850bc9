// Folder: Arguments, files and standard input.
import { samples } from '@toolglot/core/samples'
import { protocols, type Protocol, type ToolDefinition } from '@toolglot/core'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import { type Terminal, warn } from '../terminal.ts'
import { bytesOf } from './file.ts'

/** A reply to parse, and its source. */
export interface Source {
  readonly chunks: AsyncIterable<string>
  /** True if the reply arrives in chunks. Otherwise, streaming splits it into small ones. */
  readonly isLive: boolean
}

/** A built-in reply, its protocol, and the tools it calls. */
export interface Sample extends Source {
  readonly protocol: Protocol
  readonly tools: readonly ToolDefinition[]
}

/** The content of a FILE. */
export function fromFile(path: string, terminal: Terminal): Source {
  const name = quote(path)
  return { isLive: false, chunks: decode(bytesOf(path), (got) => warnOf(name, got, terminal)) }
}

/** The piped input. */
export function fromInput(terminal: Terminal): Source {
  const name = 'standard input'
  return { isLive: true, chunks: decode(terminal.input, (got) => warnOf(name, got, terminal)) }
}

/** The built-in replies of these protocols, or all of them. */
export function fromSamples(ids: readonly string[]): Sample[] {
  const wanted = ids.length === 0 || ids.includes('auto') ? Object.keys(samples) : ids
  return wanted.map(fromSample)
}

/** The complete text. Throws a UserError if it is longer than a limit. */
export async function textOf(
  { chunks }: Source,
  { maxLength, tooLong }: TextLimit = REPLY_LIMIT,
): Promise<string> {
  const parts: string[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > maxLength) throw tooLong()
    parts.push(chunk)
  }
  return parts.join('')
}

/** Refuses an empty reply, which is usually caused by a broken pipe. */
export function refuseEmpty(text: string): void {
  if (text !== '') return
  throw new UserError(
    'data',
    'No reply. Choose a file, pipe a reply in, or try: toolglot parse --samples',
  )
}

/** The maximum length of an input, in characters, and the error for a longer one. */
export interface TextLimit {
  readonly maxLength: number
  readonly tooLong: () => UserError
}

const REPLY_LIMIT: TextLimit = {
  // Half of the maximum length of a JavaScript string.
  maxLength: 2 ** 28,
  tooLong: () =>
    new UserError(
      'data',
      'The reply is larger than 256 MB. Pipe it in with --stream, which needs little memory',
    ),
}

/** More than any model can read: a longer prompt is a mistake. */
export const PROMPT_LIMIT: TextLimit = {
  maxLength: 4 << 20,
  tooLong: () =>
    new UserError(
      'data',
      'The prompt on standard input is larger than 4 MB. Save it in a file, and let the model read parts of it',
    ),
}

function fromSample(id: string): Sample {
  const sample = samples[id]
  const protocol = protocols[id]
  if (!sample || !protocol) {
    throw new UserError(
      'usage',
      `No built-in sample for ${quote(id)}. Choose a file, pipe a reply in, or choose one of ${Object.keys(samples).join(', ')}`,
    )
  }
  return { isLive: false, chunks: only(sample.text), protocol, tools: sample.tools }
}

async function* only(text: string): AsyncIterable<string> {
  yield text
}

function warnOf(where: string, got: string, terminal: Terminal): void {
  const expected = `${where} contains ${got} instead of UTF-8 text`
  warn(`${expected}: invalid bytes are shown as U+FFFD (\ufffd)`, terminal)
}

/**
 * Decodes bytes as UTF-8. Invalid bytes become U+FFFD, and `onInvalid` is called once with a
 * description of the input.
 */
export async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  onInvalid: (got: string) => void,
): AsyncIterable<string> {
  const lenient = new TextDecoder('utf-8')
  let strict: typeof lenient | undefined = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true

  const check = (chunk?: Uint8Array): void => {
    try {
      strict?.decode(chunk, { stream: chunk !== undefined })
    } catch {
      // The input is not UTF-8, which is reported once; then only the lenient decoder is used.
      strict = undefined
      onInvalid(isFirst && chunk ? nameOf(chunk) : 'invalid bytes')
    }
  }

  for await (const chunk of bytes) {
    check(chunk)
    isFirst = false
    const text = lenient.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  check()
  const rest = lenient.decode()
  if (rest !== '') yield rest
}

function nameOf(start: Uint8Array): string {
  const [first, second] = start
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'UTF-16'
  if (start.includes(0)) return 'binary data'
  return 'invalid bytes'
}
