import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Transform } from 'node:stream'
import { killOnExit } from '../process/kill-on-exit.ts'
import { HeadTail } from '../output/head-tail.ts'
import { findProcess } from '../process/list-processes.ts'
import { TASK_VARIABLE } from '../process/process-tree.ts'
import { PlainText } from '../output/plain-text.ts'
import { stopTree } from '../process/stop-tree.ts'
import { waitAtMost } from '../process/wait-at-most.ts'

/** The command that starts a server. */
export interface ServerCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** The process of a server, with its descendants. */
export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams
  /** Resolves after it exits, with the reason and the end of its error output. */
  readonly ended: Promise<string>
  /** Ends it and all of its descendants, after a grace period (in milliseconds). */
  stop(grace: number): Promise<void>
}

/** The maximum length of kept error output, in characters. */
const MAX_ERROR_OUTPUT = 2000
/**
 * The time to wait for the last output, in milliseconds, since another process may hold the pipe.
 */
const DRAIN = 200

/** Starts a server in its own session. */
export async function startServerProcess(launch: ServerCommand): Promise<ServerProcess> {
  const mark = `lsp.${randomBytes(8).toString('hex')}.`
  const child = spawn(launch.program, [...launch.args], {
    cwd: launch.cwd,
    env: { ...launch.env, [TASK_VARIABLE]: mark },
    detached: true, // Runs in its own session and group.
    stdio: 'pipe',
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const started = child.pid === undefined ? 0 : (findProcess(child.pid)?.started ?? 0)
  // A broken pipe is reported through the end of the process.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  await once(child, 'spawn')
  killOnExit(child)

  const errors = new HeadTail(MAX_ERROR_OUTPUT)
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => errors.add(text))
  const complaint = (): string => new PlainText().feed(errors.text(() => ' … ')).trim()
  const tree = { pid: child.pid!, started, mark }
  let stopping: Promise<void> | undefined
  const stop = (grace: number): Promise<void> => (stopping ??= stopTree(tree, grace))
  const ended = exited.then(async () => {
    await waitAtMost(DRAIN, closed)
    // Stops descendants that it may have left.
    await stop(0)
    const { signalCode, exitCode } = child
    const how = signalCode ? `was killed by ${signalCode}` : `exited with code ${exitCode}`
    return [how, complaint()].filter((part) => part !== '').join(': ')
  })
  return { child, ended, stop }
}

/** Maximum size of a message, in bytes. */
const MAX_MESSAGE_BYTES: number = 32 << 20
const MAX_HEADER_BYTES = 4096

/** Passes messages through unchanged, and fails on one that is too large to be buffered. */
export function limitMessages(maxBytes: number = MAX_MESSAGE_BYTES): Transform {
  let head = ''
  let left = 0
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      let at = 0
      while (at < bytes.length) {
        if (left > 0) {
          const taken = Math.min(left, bytes.length - at)
          left -= taken
          at += taken
          continue
        }
        const before = head.length
        head += bytes.toString('latin1', at, at + MAX_HEADER_BYTES)
        const end = head.indexOf('\r\n\r\n')
        if (end < 0 && head.length >= MAX_HEADER_BYTES)
          return done(new Error('it writes output other than messages'))
        if (end < 0) break
        left = contentLength(head.slice(0, end))
        if (!(left <= maxBytes))
          return done(new Error(`it sent a message of ${left} bytes, which is too large`))
        at += end + 4 - before
        head = ''
      }
      done(undefined, bytes)
    },
  })
}

/** Reads `Content-Length: 12` from the header lines. */
function contentLength(head: string): number {
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith('content-length:'))
  const length = Number(line?.slice('content-length:'.length))
  return Number.isSafeInteger(length) && length >= 0 ? length : Number.NaN
}
