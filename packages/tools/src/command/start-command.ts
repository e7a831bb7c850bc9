// Folder: Commands and background tasks.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { TimeLimit, CommandResult, RunOptions, SandboxName } from '../host/processes.ts'
import type { Capture, Captured } from '../output/capture.ts'
import { killOnExit } from '../process/kill-on-exit.ts'
import { findProcess } from '../process/list-processes.ts'
import { TASK_VARIABLE, type ProcessTree } from '../process/process-tree.ts'
import { REPORT_DESCRIPTOR, type ShellReport, readShellReport } from './shell-script.ts'
import { killTree, stopTree } from '../process/stop-tree.ts'
import { waitAtMost } from '../process/wait-at-most.ts'

/** The arguments for starting a program. */
export interface Launch {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** True if the system ends all of its descendants with it. */
  readonly isolated: boolean
  /** Releases the resources needed to run it. */
  release(): void
}

/** Options for `startCommand`. */
interface CommandOptions {
  readonly capture: Capture
  readonly mark: string
  /** Limits in milliseconds: in total, and without output. */
  readonly timeout?: number | undefined
  readonly silence?: number | undefined
  /** Keep standard input open. */
  readonly stdin?: boolean | undefined
}

/** A running command. */
export interface RunningCommand {
  readonly pid: number
  readonly ended: Promise<CommandEnd>
  /** The command's standard input, if open. */
  readonly input: Writable | undefined
  /** Ends it and all of its descendants, after a grace period (in milliseconds). */
  stop(grace: number): Promise<void>
}

/** The end of a command. */
export interface CommandEnd {
  readonly exitCode: number
  readonly signal: NodeJS.Signals | undefined
  readonly timedOut: TimeLimit | undefined
  /** True if it left processes running, which were killed. */
  readonly leftOver: boolean
  /** The working folder that the shell reported at its end. */
  readonly folder: string | undefined
}

/** The time between SIGTERM and SIGKILL after a timeout, in milliseconds. */
const GRACE = 1000
/**
 * The time to wait for output after the end, in milliseconds, since another process may hold the
 * pipe.
 */
const DRAIN = 250

/** Starts a command in its own session and captures its output. */
export async function startCommand(
  launch: Launch,
  options: CommandOptions,
): Promise<RunningCommand> {
  const { capture, mark, timeout, silence, stdin = false } = options
  const child = spawn(launch.program, [...launch.args], {
    cwd: launch.cwd,
    env: { ...launch.env, [TASK_VARIABLE]: mark },
    detached: true, // Runs in its own session and group.
    stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  // The pid cannot have been reused yet.
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
  child.stdin?.on('error', () => {}) // The command no longer reads its input; the writer gets the error.
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
    return false // The process doesn't exist, or it belongs to another user because its id was reused.
  }
}

/** The exit code of the program `timeout`. */
const TIMEOUT_EXIT_CODE = 124

function exitCodeOf({ exitCode, signalCode }: ChildProcess): number {
  return exitCode ?? 128 + (signalCode ? constants.signals[signalCode] : 0)
}

/** Reads a stream no faster than `put` accepts its data. */
function pumpStream(stream: Readable, put: (bytes: Uint8Array) => Promise<void> | undefined): void {
  stream.on('data', (bytes: Uint8Array) => {
    const room = put(bytes)
    if (!room) return
    stream.pause()
    void room.finally(() => stream.resume())
  })
  stream.on('error', () => {}) // The pipe broke: there is nothing more to read.
}

function collectReport(child: ChildProcess): () => ShellReport {
  const stream = child.stdio[REPORT_DESCRIPTOR] as Readable
  let report = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => (report = (report + text).slice(-MAX_REPORT)))
  stream.on('error', () => {}) // The pipe broke: there is nothing more to read.
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

/** The grace period in milliseconds. An aborted call must end almost immediately. */
export const ABORT_GRACE = 200

/** Waits until a command ends. The signal stops it. */
export async function waitForEnd(
  running: RunningCommand,
  signal: AbortSignal | undefined,
): Promise<CommandEnd>
/** Returns undefined if it has not ended in time; after that, the signal no longer stops it. */
export async function waitForEnd(
  running: RunningCommand,
  signal: AbortSignal | undefined,
  timeout: number,
): Promise<CommandEnd | undefined>
export async function waitForEnd(
  running: RunningCommand,
  signal: AbortSignal | undefined,
  timeout?: number,
): Promise<CommandEnd | undefined> {
  const stop = (): void => void running.stop(ABORT_GRACE)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    let outcome: CommandEnd | undefined
    const ended = running.ended.then((end) => void (outcome = end))
    await (timeout === undefined ? ended : waitAtMost(timeout, ended))
    return outcome
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Reported for a command that was stopped at its timeout. */
export const TIMED_OUT = { exitCode: 124, timedOut: 'total' } as const

/** Reported for a command that continues in the background. */
export const STILL_RUNNING: CommandEnd = {
  exitCode: 0,
  signal: undefined,
  timedOut: 'total',
  leftOver: false,
  folder: undefined,
}

/** Notes for the model about the end of a command. */
export function notesOn(
  outcome: CommandEnd,
  captured: Captured,
  { timeout }: RunOptions,
): string[] {
  const notes = []
  if (outcome.timedOut === 'total')
    notes.push(
      `It was stopped because it took longer than ${timeout} ms. Use a longer timeout, or run it in the background.`,
    )
  if (outcome.timedOut === 'silence')
    notes.push('It was stopped because it produced no output for too long.')
  if (outcome.leftOver && !outcome.timedOut)
    notes.push(
      'Processes that it left running were stopped. To keep something running, run it in the background.',
    )
  if (captured.isLogFull)
    notes.push('The log is full or not writable, so some output is missing from it.')
  return notes
}

/** Builds the result of a command. */
export function commandResult(
  { pid, sandbox }: RunningCommand & { readonly sandbox: SandboxName },
  { exitCode, signal, timedOut }: CommandEnd,
  { stdout, stderr, truncated, outputFile }: Captured,
  duration: number,
  notes: readonly string[],
): CommandResult {
  return {
    stdout,
    stderr,
    exitCode,
    signal,
    timedOut,
    truncated,
    outputFile,
    pid,
    duration: Math.round(duration),
    sandbox,
    notes,
  }
}
