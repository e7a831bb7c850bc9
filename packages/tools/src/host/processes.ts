import type { NetworkNotice, TemporaryMount } from '@toolglot/permissions'

/** Runs shell commands. Each command starts in the folder in which the previous one ended. */
export interface Processes {
  /** The absolute path of the folder in which the next command starts, inside the roots. */
  readonly cwd: string
  /**
   * The number of commands started so far, here and by earlier processes of the run. Task ids
   * continue from there.
   */
  readonly started?: number
  /**
   * Continues from the state of another process of the run. Ignores files and folders that do not
   * exist here or are outside the roots.
   */
  restore?(earlier: EarlierCommands): Promise<void>
  /** Runs a command until it ends or times out. When aborted, it rejects with the signal's reason. */
  run(command: string, options: RunOptions): Promise<CommandResult>
  /** Starts a command in the background. */
  start(command: string, options?: StartOptions): Promise<Task>
  /** A running or ended task by its id; undefined if it is unknown or forgotten. */
  task(id: string): Task | undefined
  readonly tasks: readonly Task[]
  /** True if a file, given by its real path, is one of our logs. */
  wrote?(path: string): boolean
  /**
   * The folders that commands see instead of the system's temporary folders, because a sandbox
   * replaces them.
   */
  temporary?(): Promise<readonly TemporaryMount[]>
  /** The sandbox for commands, and the ones that are not available. */
  sandbox(): Promise<SandboxReport>
  /** The limits on a command's network access; undefined if there are none. */
  network?(command: string): Promise<NetworkNotice | undefined>
  /** Stops all commands that are still running. */
  close(): Promise<void>
}

/** The known state of the commands that a run started in other processes. */
export interface EarlierCommands {
  /** The folder in which the next command starts. */
  readonly folder?: string | undefined
  readonly started?: number | undefined
  /** Files with their output, which the model may read. */
  readonly outputs: readonly string[]
}

/** Options for `Processes.start`. */
export interface StartOptions {
  /** Keep standard input open for writing. Default: it is empty. */
  readonly stdin?: boolean | undefined
  /** The folder for this command only, relative to the current one. */
  readonly cwd?: string | undefined
  /** The additional network access approved for this command: unrestricted, or only these hosts. */
  readonly network?: 'all' | readonly string[] | undefined
  /** The command as the model wrote it, for display. Default: the command itself. */
  readonly original?: string | undefined
  /** Called right before the process starts; if it rejects, nothing starts. */
  readonly beforeStart?: (() => Promise<void>) | undefined
  /** The timeout, in milliseconds. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options for `Processes.run`. */
export interface RunOptions extends StartOptions {
  readonly timeout: number
  /** On timeout, keep the command running as a background task instead of stopping it. */
  readonly continueInBackground?: boolean | undefined
  /** Called with output as it arrives, without terminal escape codes. */
  readonly onOutput?: ((stream: OutputStream, text: string) => void) | undefined
}

/** An output stream of a command. */
export type OutputStream = 'stdout' | 'stderr'

/** The output of a command, and its end. */
export interface CommandResult {
  /** The beginning and the end if the output is too long. */
  readonly stdout: string
  readonly stderr: string
  /** 128 plus the signal's number if a signal ended it; 124 if it timed out. */
  readonly exitCode: number
  readonly signal?: string
  readonly timedOut?: TimeLimit
  /** The task in which the command continues, because it has not ended. */
  readonly task?: Task
  /** True if part of stdout or stderr is left out. */
  readonly truncated: boolean
  /** A file with the whole output, if it is longer than the returned part. */
  readonly outputFile?: string
  readonly pid: number
  /** The duration, in milliseconds. */
  readonly duration: number
  readonly sandbox: SandboxName
  /** Further notes for the model. */
  readonly notes: readonly string[]
  /**
   * The notes that the user should also see: those about protected files that the command created.
   */
  readonly warnings?: readonly string[]
}

/** The limit that was exceeded: the total time, or the time without output. */
export type TimeLimit = 'total' | 'silence'

/** A command that runs in the background. */
export interface Task {
  readonly id: string
  /** The command as the model wrote it. */
  readonly command: string
  readonly pid: number
  readonly outputFile: string
  readonly status: TaskStatus
  /** Undefined while it runs. */
  readonly exitCode: number | undefined
  readonly sandbox: SandboxName
  /** The output since the last read. */
  read(): Promise<TaskOutput>
  /** Waits until it ends or the timeout expires or, with `untilOutput`, until there is output. */
  wait(options: WaitOptions): Promise<void>
  /**
   * Writes to the command's standard input, and closes it with `end`. Rejects if the command has no
   * input or no longer reads it.
   */
  write(text: string, options?: { readonly end?: boolean }): Promise<void>
  stop(): Promise<void>
}

/** The state of a background task. */
export type TaskStatus = 'running' | 'completed' | 'failed' | 'timed_out' | 'stopped'

/** Output of a background task. */
export interface TaskOutput {
  readonly text: string
  readonly truncated: boolean
  /** Further notes for the model. */
  readonly notes?: readonly string[]
}

/** Options for `Task.wait`. */
export interface WaitOptions {
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  readonly untilOutput?: boolean
}

/** The name of a sandbox. */
export type SandboxName = 'bubblewrap' | 'sandbox-runtime' | 'none'

/** The sandbox in use, and the reasons why the other sandboxes are not. */
export interface SandboxReport {
  readonly name: SandboxName
  /** A sentence about the sandbox's protection. */
  readonly about: string
  /** The sandboxes that were tried first, and the reasons why they are not available. */
  readonly missing: readonly { readonly name: SandboxName; readonly reason: string }[]
}
