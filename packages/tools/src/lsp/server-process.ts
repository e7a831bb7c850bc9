import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { killOnExit } from '../process/kill-on-exit.ts'
import { HeadTail } from '../output/head-tail.ts'
import { findProcess } from '../process/list-processes.ts'
import { TASK_VARIABLE } from '../process/task-mark.ts'
import { PlainText } from '../output/plain-text.ts'
import { stopTree } from '../process/stop-tree.ts'
import { waitAtMost } from '../process/wait-at-most.ts'

export interface ServerLaunch {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** A server's process, and all that it starts. */
export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams
  /** When it has ended by itself: how, with the end of what it complained of. */
  readonly ended: Promise<string>
  /** Ends it and all that came of it, after some grace (in milliseconds). */
  stop(grace: number): Promise<void>
}

/** In characters. */
const MAX_ERROR_OUTPUT = 2000
/** How long a last word is waited for, in milliseconds, since something else may hold the pipe. */
const DRAIN = 200

export async function startServerProcess(launch: ServerLaunch): Promise<ServerProcess> {
  const mark = `lsp.${randomBytes(8).toString('hex')}.`
  const child = spawn(launch.program, [...launch.args], {
    cwd: launch.cwd,
    env: { ...launch.env, [TASK_VARIABLE]: mark },
    detached: true, // In its own session and group.
    stdio: 'pipe',
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const started = child.pid === undefined ? 0 : (findProcess(child.pid)?.started ?? 0)
  // A pipe that breaks: the end of the process tells.
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
    // It may have been only the first of several.
    await stop(0)
    const { signalCode, exitCode } = child
    const how = signalCode ? `was ended by ${signalCode}` : `ended with code ${exitCode}`
    return [how, complaint()].filter((part) => part !== '').join(': ')
  })
  return { child, ended, stop }
}
