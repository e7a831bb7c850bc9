/** Shell commands that tools run, each in the folder that the last one ended in. */
export interface Processes {
  /** The folder that the next command starts in, inside the roots; an absolute path. */
  readonly cwd: string
  /** Runs shell text until it ends or takes too long. Stopped by its signal, it rejects with the signal's reason. */
  run(command: string, options: RunOptions): Promise<CommandResult>
  /** Starts shell text that goes on while other calls are made. */
  start(command: string, options?: StartOptions): Promise<Task>
  /** What was started, running or ended; undefined if there is no such thing (any more). */
  task(id: string): Task | undefined
  readonly tasks: readonly Task[]
  /** Whether a file, by its real path, is a log that was told of. */
  wrote?(path: string): boolean
  /** What holds commands back here, and what was tried. */
  sandbox(): Promise<SandboxReport>
  /** Stops everything that still runs. */
  close(): Promise<void>
}

export interface StartOptions {
  /** It can be written to while it runs; otherwise it finds the end of its input at once. */
  readonly stdin?: boolean | undefined
  /** The folder, for this command only; relative to the one that commands start in. */
  readonly cwd?: string | undefined
  /** In milliseconds. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface RunOptions extends StartOptions {
  readonly timeout: number
  /** When its time is over it is not stopped: it goes on as a task. */
  readonly continueInBackground?: boolean | undefined
  /** Told of output as it comes, without terminal codes. */
  readonly onOutput?: ((stream: OutputStream, text: string) => void) | undefined
}

export type OutputStream = 'stdout' | 'stderr'

/** How a command ended. */
export interface CommandResult {
  /** Beginning and end of what it wrote, if all would be too much. */
  readonly stdout: string
  readonly stderr: string
  /** 128 and the signal's number if a signal ended it, 124 if it took too long. */
  readonly exitCode: number
  readonly signal?: string
  readonly timedOut?: TimeLimit
  /** It has not ended: it goes on as this. */
  readonly task?: Task
  /** Something is left out of stdout or stderr. */
  readonly truncated: boolean
  /** All that it wrote, where that is more than is told here. */
  readonly outputFile?: string
  readonly pid: number
  /** In milliseconds. */
  readonly duration: number
  readonly sandbox: SandboxName
  /** What the model should know beside. */
  readonly notes: readonly string[]
}

/** What took too long: all of it, or the time without any output. */
export type TimeLimit = 'total' | 'silence'

/** A command that runs while other calls are made. */
export interface Task {
  readonly id: string
  readonly command: string
  readonly pid: number
  readonly outputFile: string
  readonly status: TaskStatus
  /** Undefined while it runs. */
  readonly exitCode: number | undefined
  readonly sandbox: SandboxName
  /** What it wrote since the last time it was read. */
  read(): Promise<TaskOutput>
  /** Until it ends; or until so many milliseconds are over, or it writes something, if asked for. */
  wait(options: WaitOptions): Promise<void>
  /** Gives it something to read, or the end of that. It rejects where it was not started so, or reads no more. */
  write(text: string, options?: { readonly end?: boolean }): Promise<void>
  stop(): Promise<void>
}

export type TaskStatus = 'running' | 'completed' | 'failed' | 'timed_out' | 'stopped'

export interface TaskOutput {
  readonly text: string
  readonly truncated: boolean
}

export interface WaitOptions {
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  readonly untilOutput?: boolean
}

export type SandboxName = 'bubblewrap' | 'sandbox-runtime' | 'none'

export interface SandboxReport {
  readonly name: SandboxName
  /** What commands are kept from; or that nothing keeps them. */
  readonly about: string
  /** What was tried before, and why it does not run. */
  readonly missing: readonly { readonly name: SandboxName; readonly reason: string }[]
}
