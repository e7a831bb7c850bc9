import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { killOnExit } from '../../process/kill-on-exit.ts'
import { findProcess } from '../../process/list-processes.ts'
import { TASK_VARIABLE, type ProcessTree } from '../../process/process-tree.ts'
import { PlainText } from '../../output/plain-text.ts'
import { stopTree } from '../../process/stop-tree.ts'
import { waitAtMost } from '../../process/wait-at-most.ts'
import { cleanText } from './clean-text.ts'

/** The program of a server, with its arguments. */
export interface ChildOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** A transport to a server that runs as a child process. */
export interface ChildTransport extends Transport {
  /**
   * The end of its standard error, and the start of its standard output if that was not a message.
   */
  lastOutput(): string
}

/** The maximum size of a message, in bytes. */
const MAX_MESSAGE_BYTES = 16 << 20
const MAX_LAST_OUTPUT = 2000
/**
 * In milliseconds: the time between closing its input and SIGTERM, and between SIGTERM and SIGKILL.
 */
const GRACE = 1000
/**
 * The time to wait for output after the end, in milliseconds, since another process may hold the
 * pipe.
 */
const DRAIN = 250

/**
 * Runs a server as a child process in its own session. Closing it also ends all of its descendants.
 */
export function childTransport({ command, args, cwd, env }: ChildOptions): ChildTransport {
  const buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES })
  const plain = new PlainText()
  const mark = `mcp.${randomUUID()}.`
  let lastOutput = ''
  let hasWritten = false
  let child: ChildProcessWithoutNullStreams | undefined
  let tree: ProcessTree | undefined
  let starting: Promise<unknown> | undefined
  let exited: Promise<unknown> | undefined
  let drained: Promise<unknown> | undefined
  let closing: Promise<void> | undefined

  const record = (text: string): void => {
    lastOutput = (lastOutput + plain.feed(text)).slice(-MAX_LAST_OUTPUT)
  }

  function take(chunk: Buffer): void {
    const isFirst = !hasWritten
    hasWritten = true
    if (isFirst && !/^\s*\{/.test(chunk.toString('latin1', 0, 100)))
      record(`on standard output: ${chunk.toString('utf8', 0, 200)}\n`)
    try {
      buffer.append(chunk)
    } catch (error) {
      // The message is too large, and the start of the next one cannot be found.
      transport.onerror?.(error as Error)
      record(`\na message of more than ${MAX_MESSAGE_BYTES} bytes`)
      void transport.close()
      return
    }
    for (;;) {
      try {
        const message = buffer.readMessage()
        if (message === null) return
        transport.onmessage?.(message)
      } catch (error) {
        // A line of JSON that is not a message.
        transport.onerror?.(error as Error)
      }
    }
  }

  async function end(): Promise<void> {
    await starting?.catch(() => {}) // The error is reported by `start`.
    if (!child || !tree) return
    child.stdin.end()
    await waitAtMost(GRACE, exited!)
    await stopTree(tree, GRACE)
    await waitAtMost(DRAIN, drained!)
    for (const stream of child.stdio) stream?.destroy()
    buffer.clear()
    transport.onclose?.()
  }

  async function begin(): Promise<void> {
    child = spawn(command, [...args], {
      cwd,
      env: { ...env, [TASK_VARIABLE]: mark },
      detached: true, // Runs in its own session and group.
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const { pid, stdin, stdout, stderr } = child
    exited = new Promise((resolve) => child!.once('exit', resolve))
    drained = new Promise((resolve) => child!.once('close', resolve))
    // The pid cannot have been reused yet.
    const started = pid === undefined ? 0 : (findProcess(pid)?.started ?? 0)
    stdin.on('error', () => {}) // The server no longer reads its input; its end is reported separately.
    stdout.on('data', take)
    stderr.setEncoding('utf8').on('data', record)
    await once(child, 'spawn')
    tree = { pid: pid!, started, mark }
    killOnExit(child)
    void exited.then(() => transport.close())
  }

  const transport: ChildTransport = {
    start: () => (starting = begin()),

    send(message) {
      if (!tree || closing) return Promise.reject(new Error('It has ended.'))
      const { stdin } = child!
      if (stdin.write(serializeMessage(message))) return Promise.resolve()
      return new Promise((resolve) => {
        stdin.once('drain', resolve)
        stdin.once('close', resolve)
      })
    },

    close: () => (closing ??= end()),

    lastOutput: () => cleanText(lastOutput.trim(), MAX_LAST_OUTPUT + 1),
  }
  return transport
}
