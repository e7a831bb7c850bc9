// Folder: Output of commands: captured, limited, cleaned.
import { HeadTail } from './head-tail.ts'
import type { Log } from './log.ts'
import { PlainText } from './plain-text.ts'
import type { OutputStream } from '../host/processes.ts'

/** Options for `Capture`. */
interface CaptureOptions {
  /** The maximum number of characters kept of each stream. */
  readonly limit: number
  /** Called when the output exceeds the limit, unless `log` is given. */
  readonly openLog: () => Promise<Log>
  readonly log?: Log | undefined
  readonly onOutput?: ((stream: OutputStream, text: string) => void) | undefined
}

/**
 * Captures the output of a command: its beginning and end in memory and, if it is longer, all of it
 * in a log.
 */
export class Capture {
  readonly #options: CaptureOptions
  readonly #streams: Record<OutputStream, Stream>
  /** Output from before the log was opened. */
  #early: Uint8Array[] = []
  #log: Promise<Log> | undefined
  #openLog: Log | undefined
  #hasNoLog = false

  constructor(options: CaptureOptions) {
    this.#options = options
    this.#streams = { stdout: new Stream(options.limit), stderr: new Stream(options.limit) }
    this.#openLog = options.log
    if (options.log) this.#log = Promise.resolve(options.log)
  }

  /** Returns a promise if the caller has to wait before writing more. */
  write(stream: OutputStream, bytes: Uint8Array): Promise<void> | undefined {
    const plain = this.#streams[stream].add(bytes)
    if (plain !== '') this.#options.onOutput?.(stream, plain)
    if (this.#openLog) return this.#openLog.write(bytes)
    if (this.#hasNoLog) return undefined
    this.#early.push(bytes)
    if (!this.#streams[stream].needsLog) return undefined
    return this.#begin()
  }

  async #begin(): Promise<void> {
    let log
    try {
      log = await (this.#log ??= this.#options.openLog())
    } catch {
      // The disk is full or not writable. The command continues, and the result reports the missing
      // output.
      this.#hasNoLog = true
      this.#early = []
      return
    }
    this.#openLog = log
    // Without an await in between, so that newer output cannot overtake it.
    let room: Promise<void> | undefined
    for (const bytes of this.#early.splice(0)) room = log.write(bytes)
    await room
  }

  /** The output so far. */
  soFar(): Captured {
    const { stdout, stderr } = this.#streams
    const file = this.#openLog?.file
    return {
      stdout: stdout.text(file),
      stderr: stderr.text(file),
      truncated: stdout.needsLog || stderr.needsLog,
      isLogFull: this.#openLog?.isFull ?? this.#hasNoLog,
      outputFile: file,
    }
  }

  async end(): Promise<Captured> {
    const { stdout, stderr } = this.#streams
    stdout.finish()
    stderr.finish()
    if (this.#log || stdout.needsLog || stderr.needsLog) await this.#begin()
    await this.#openLog?.close()
    return this.soFar()
  }
}

/** The output of a command, truncated if it is too long. */
export interface Captured {
  readonly stdout: string
  readonly stderr: string
  readonly truncated: boolean
  readonly isLogFull: boolean
  readonly outputFile: string | undefined
}

class Stream {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #plain = new PlainText()
  readonly #kept: HeadTail
  #sample = new Uint8Array(0)
  #bytes = 0
  #isBinary = false

  constructor(limit: number) {
    this.#kept = new HeadTail(limit)
  }

  /** Returns the new output as plain text. */
  add(bytes: Uint8Array): string {
    this.#bytes += bytes.length
    if (this.#sample.length < SAMPLE_BYTES) {
      this.#sample = Buffer.concat([
        this.#sample,
        bytes.subarray(0, SAMPLE_BYTES - this.#sample.length),
      ])
      if (this.#sample.length === SAMPLE_BYTES) this.#isBinary = isBinary(this.#sample)
    }
    if (this.#isBinary) return ''
    const plain = this.#plain.feed(this.#decoder.decode(bytes, { stream: true }))
    this.#kept.add(plain)
    return plain
  }

  finish(): void {
    if (this.#sample.length < SAMPLE_BYTES) this.#isBinary = isBinary(this.#sample)
    this.#kept.add(this.#plain.feed(this.#decoder.decode()))
  }

  get needsLog(): boolean {
    return this.#isBinary || this.#kept.isCut
  }

  text(file: string | undefined): string {
    if (this.#isBinary)
      return `[${this.#bytes} bytes of binary output${file ? `, saved in ${file}` : ''}]`
    const where = file ? `; full output in ${file}` : ''
    return this.#kept.text((count) => `\n[… ${count} characters omitted${where} …]\n`)
  }
}

/** True if the first bytes look binary: more than a tenth of them do not occur in text. */
export function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  let odd = 0
  for (const character of new TextDecoder().decode(sample, { stream: true })) {
    const code = character.codePointAt(0)!
    if (code === 0xfffd || (code < 32 && !TEXT_CONTROLS.has(code))) odd++
  }
  return odd * 10 > sample.length
}

/** The number of bytes examined. */
export const SAMPLE_BYTES = 1024

/** Backspace, tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS = new Set([8, 9, 10, 12, 13, 27])
