import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { SandboxName, Task, TaskOutput, TaskStatus, WaitOptions } from '../host/processes.ts'
import { isBinary, SAMPLE_BYTES } from '../output/capture.ts'
import type { RunningCommand } from './start-command.ts'
import { HeadTail } from '../output/head-tail.ts'
import type { Log } from '../output/log.ts'
import { PlainText } from '../output/plain-text.ts'
import { waitAtMost } from '../process/wait-at-most.ts'

/** The time between SIGTERM and SIGKILL when a task is stopped, in milliseconds. */
export const STOP_GRACE = 1000

/** The parts of a background task. */
export interface TaskParts {
  readonly id: string
  readonly command: string
  readonly sandbox: SandboxName
  readonly running: RunningCommand
  readonly log: Log
  /** The maximum number of characters that a read returns. */
  readonly limit: number
  /** The number of bytes of the command's output that were already reported. */
  readonly bytesRead?: number
  /** Notes for the model, added while it runs. */
  readonly notes?: readonly string[]
}

/** A command in the background, including the position up to which its output was read. */
export class BackgroundTask implements Task {
  readonly id: string
  readonly command: string
  readonly pid: number
  readonly outputFile: string
  readonly sandbox: SandboxName
  readonly ended: Promise<void>
  readonly #parts: TaskParts
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #plain = new PlainText()
  readonly #waiting = new Set<() => void>()
  #status: TaskStatus = 'running'
  #exitCode: number | undefined
  #wasStopped = false
  #offset = 0
  #notesRead = 0
  #isBinary = false

  constructor(parts: TaskParts) {
    this.#parts = parts
    this.id = parts.id
    this.command = parts.command
    this.pid = parts.running.pid
    this.outputFile = parts.log.file
    this.sandbox = parts.sandbox
    this.#offset = parts.bytesRead ?? 0
    this.ended = this.#finish()
  }

  async #finish(): Promise<void> {
    const { exitCode, timedOut } = await this.#parts.running.ended
    await this.#parts.log.close()
    this.#exitCode = exitCode
    if (this.#wasStopped) this.#status = 'stopped'
    else if (timedOut) this.#status = 'timed_out'
    else this.#status = exitCode === 0 ? 'completed' : 'failed'
    this.notifyOutput()
  }

  get status(): TaskStatus {
    return this.#status
  }

  get exitCode(): number | undefined {
    return this.#exitCode
  }

  /** Wakes callers waiting for output: there is some, or the command has ended. */
  notifyOutput(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  async read(): Promise<TaskOutput> {
    const hasEnded = this.#status !== 'running'
    const { log, limit } = this.#parts
    await log.flush()
    const kept = new HeadTail(limit)
    const handle = await open(log.file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const buffer = Buffer.alloc(CHUNK)
      for (const end = log.size; this.#offset < end;) {
        const length = Math.min(CHUNK, end - this.#offset)
        const { bytesRead } = await handle.read(buffer, 0, length, this.#offset)
        if (bytesRead === 0) break // The disk was full, or the file was truncated.
        const bytes = buffer.subarray(0, bytesRead)
        if (this.#offset === 0) this.#isBinary = isBinary(bytes.subarray(0, SAMPLE_BYTES))
        this.#offset += bytesRead
        kept.add(this.#plain.feed(this.#decoder.decode(bytes, { stream: true })))
      }
    } finally {
      await handle.close()
    }
    if (hasEnded) kept.add(this.#plain.feed(this.#decoder.decode()))
    const truncated = kept.isCut || log.isFull
    const notes = this.takeNotes()
    if (this.#isBinary && kept.length > 0)
      return { text: `[binary output, saved in ${log.file}]`, truncated: true, notes }
    const gap = (count: number): string =>
      `\n[… ${count} characters omitted; full output in ${log.file} …]\n`
    return { text: kept.text(gap), truncated, notes }
  }

  /** The notes added since the last call. */
  takeNotes(): readonly string[] {
    const notes = (this.#parts.notes ?? []).slice(this.#notesRead)
    this.#notesRead += notes.length
    return notes
  }

  async wait({ timeout, signal, untilOutput = false }: WaitOptions): Promise<void> {
    signal?.throwIfAborted()
    let wake = (): void => {}
    const woken = new Promise<void>((resolve) => (wake = resolve))
    if (untilOutput) this.#waiting.add(wake)
    signal?.addEventListener('abort', wake, { once: true })
    try {
      await waitAtMost(timeout, Promise.race([this.ended, woken]))
    } finally {
      this.#waiting.delete(wake)
      signal?.removeEventListener('abort', wake)
    }
    signal?.throwIfAborted()
  }

  async write(text: string, { end = false }: { readonly end?: boolean } = {}): Promise<void> {
    const { input } = this.#parts.running
    if (!input) throw new Error('it was started without stdin')
    if (!input.writable) throw new Error('it no longer reads its input')
    await new Promise<void>((resolve, reject) => {
      // If the command doesn't read its input, the pipe fills up at some point.
      const late = setTimeout(() => reject(new Error('it does not read its input')), WRITE_TIMEOUT)
      const done = (error?: Error | null): void => {
        clearTimeout(late)
        if (error) reject(new Error('it no longer reads its input', { cause: error }))
        else resolve()
      }
      input.write(text, done)
    })
    if (end) input.end()
  }

  async stop(): Promise<void> {
    if (this.#status !== 'running') return
    this.#wasStopped = true
    await this.#parts.running.stop(STOP_GRACE)
    await this.ended
  }
}

const CHUNK = 1 << 16
/** The timeout, in milliseconds. */
const WRITE_TIMEOUT = 10_000
