import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { TimeLimit } from '../host/processes.ts'
import type { Capture } from '../output/capture.ts'
import { killOnExit } from '../process/kill-on-exit.ts'
import { findProcess } from '../process/list-processes.ts'
import { TASK_VARIABLE } from '../process/task-mark.ts'
import { REPORT_DESCRIPTOR, type ShellReport, readShellReport } from './shell-script.ts'
import { killTree, stopTree } from '../process/stop-tree.ts'
import type { ProcessTree } from '../process/process-tree.ts'
import { waitAtMost } from '../process/wait-at-most.ts'

/** How a program is started. */
export interface Launch {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Nothing goes on when it has ended: the system sees to it. */
  readonly isolated: boolean
  /** Gives back what was needed to run it. */
  release(): void
}

export interface CommandOptions {
  readonly capture: Capture
  readonly mark: string
  /** In milliseconds: altogether, and without any output. */
  readonly timeout?: number | undefined
  readonly silence?: number | undefined
  /** It can be written to. */
  readonly stdin?: boolean | undefined
}

/** A command that runs. */
export interface RunningCommand {
  readonly pid: number
  readonly ended: Promise<CommandEnd>
  /** What it reads; undefined where there is nothing to read. */
  readonly input: Writable | undefined
  /** Ends it and all that came of it, after some grace (in milliseconds). */
  stop(grace: number): Promise<void>
}

export interface CommandEnd {
  readonly exitCode: number
  readonly signal: NodeJS.Signals | undefined
  readonly timedOut: TimeLimit | undefined
  /** Something went on when the command had ended, and was ended then. */
  readonly leftOver: boolean
  /** Where the shell says it was in the end. */
  readonly folder: string | undefined
}

/** From being asked to being ended, where time is over. */
const GRACE = 1000
/** How long output is waited for after the end, since something else may hold the pipe; and again when that has ended. */
const DRAIN = 250

export async function startCommand(
  launch: Launch,
  options: CommandOptions,
): Promise<RunningCommand> {
  const { capture, mark, timeout, silence, stdin = false } = options
  const child = spawn(launch.program, [...launch.args], {
    cwd: launch.cwd,
    env: { ...launch.env, [TASK_VARIABLE]: mark },
    detached: true, // A session and a group of its own.
    stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  // Nobody can have this number yet.
  const started = child.pid === undefined ? 0 : (findProcess(child.pid)?.started ?? 0)
  try {
    await once(child, 'spawn')
  } catch (error) {
    launch.release()
    throw error
  }
  const tree: ProcessTree = { pid: child.pid!, started, mark }
  killOnExit(child)

  let timedOut: TimeLimit | undefined
  let stopping: Promise<void> | undefined
  const stop = (grace: number): Promise<void> => (stopping ??= stopTree(tree, grace))
  const timers = startTimers({ total: timeout, silence }, (limit) => {
    timedOut = limit
    void stop(GRACE)
  })
  pumpStream(child.stdout!, (bytes) => (timers.restartSilence(), capture.write('stdout', bytes)))
  pumpStream(child.stderr!, (bytes) => (timers.restartSilence(), capture.write('stderr', bytes)))
  child.stdin?.on('error', () => {}) // It reads no more: who writes is told.
  const last = collectReport(child)

  const finish = async (): Promise<CommandEnd> => {
    await exited
    timers.clear()
    await waitAtMost(DRAIN, closed)
    if (stopping) await stopping
    const { folder, leftOver: hasJobs } = last()
    const isAlone = stopping !== undefined || (!hasJobs && !hasGroup(tree.pid))
    const leftOver = isAlone ? 0 : await killTree(tree, 'near')
    await waitAtMost(DRAIN, closed)
    for (const stream of child.stdio) stream?.destroy()
    launch.release()
    return {
      exitCode: timedOut ? TIMEOUT_EXIT_CODE : exitCodeOf(child),
      signal: child.signalCode ?? undefined,
      timedOut,
      leftOver: hasJobs || (leftOver > 0 && !launch.isolated),
      folder,
    }
  }
  return { pid: tree.pid, ended: finish(), input: child.stdin ?? undefined, stop }
}

function hasGroup(pid: number): boolean {
  try {
    return process.kill(-pid, 0)
  } catch {
    return false // There is none, or it is another user's: the number was given again.
  }
}

/** What the program `timeout` says. */
const TIMEOUT_EXIT_CODE = 124

function exitCodeOf({ exitCode, signalCode }: ChildProcess): number {
  return exitCode ?? 128 + (signalCode ? constants.signals[signalCode] : 0)
}

/** Reads a stream no faster than what is read can be put away. */
function pumpStream(stream: Readable, put: (bytes: Uint8Array) => Promise<void> | undefined): void {
  stream.on('data', (bytes: Uint8Array) => {
    const room = put(bytes)
    if (!room) return
    stream.pause()
    void room.finally(() => stream.resume())
  })
  stream.on('error', () => {}) // The pipe broke: there is no more to read.
}

function collectReport(child: ChildProcess): () => ShellReport {
  const stream = child.stdio[REPORT_DESCRIPTOR] as Readable
  let report = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => (report = (report + text).slice(-MAX_REPORT)))
  stream.on('error', () => {}) // As above.
  return () => readShellReport(report)
}

const MAX_REPORT = 1 << 14

function startTimers(
  limits: { readonly total: number | undefined; readonly silence: number | undefined },
  over: (limit: TimeLimit) => void,
): { restartSilence(): void; clear(): void } {
  const { total, silence } = limits
  const timer = total === undefined ? undefined : setTimeout(() => over('total'), total)
  const quiet = silence === undefined ? undefined : setTimeout(() => over('silence'), silence)
  return {
    restartSilence: () => void quiet?.refresh(),
    clear() {
      clearTimeout(timer)
      clearTimeout(quiet)
    },
  }
}
