import type { NetworkNotice, TemporaryMount } from '@toolglot/permissions'

/** Runs shell commands. Each starts in the folder that the previous one ended in. */
export interface Processes {
  /** Absolute path of the folder that the next command starts in, inside the roots. */
  readonly cwd: string
  /** How many commands were started, here and by earlier processes of the run. Task ids continue from there. */
  readonly started?: number
  /** Continues where another process of the run ended. What does not exist here, or is outside the roots, is ignored. */
  restore?(earlier: EarlierCommands): Promise<void>
  /** Runs a command until it ends or times out. When aborted, it rejects with the signal's reason. */
  run(command: string, options: RunOptions): Promise<CommandResult>
  /** Starts a command in the background. */
  start(command: string, options?: StartOptions): Promise<Task>
  /** A task by its id, running or ended; undefined if unknown or forgotten. */
  task(id: string): Task | undefined
  readonly tasks: readonly Task[]
  /** Whether a file, by its real path, is one of our logs. */
  wrote?(path: string): boolean
  /** The folders that commands see in place of the system's temporary folders, because a sandbox holds them. */
  temporary?(): Promise<readonly TemporaryMount[]>
  /** Which sandbox commands run in, and which ones are not available. */
  sandbox(): Promise<SandboxReport>
  /** The limits of a command's access to the network; undefined if there are none. */
  network?(command: string): Promise<NetworkNotice | undefined>
  /** Stops everything that is still running. */
  close(): Promise<void>
}

/** The known state of the commands that a run started in other processes. */
export interface EarlierCommands {
  /** The folder that the next command starts in. */
  readonly folder?: string | undefined
  readonly started?: number | undefined
  /** Files with their output, which the model may read. */
  readonly outputs: readonly string[]
}

/** Options of `Processes.start`. */
export interface StartOptions {
  /** Keep standard input open so that it can be written to. Default: it is empty. */
  readonly stdin?: boolean | undefined
  /** The folder for this command only, relative to the current one. */
  readonly cwd?: string | undefined
  /** The network that a person lets this command reach in addition to the usual: everything, or these hosts. */
  readonly network?: 'all' | readonly string[] | undefined
  /** The command as the model wrote it, to show to people. Default: the command itself. */
  readonly original?: string | undefined
  /** Called right before the process starts; if it rejects, nothing starts. */
  readonly beforeStart?: (() => Promise<void>) | undefined
  /** In milliseconds. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options of `Processes.run`. */
export interface RunOptions extends StartOptions {
  readonly timeout: number
  /** On timeout, keep the command running as a background task instead of stopping it. */
  readonly continueInBackground?: boolean | undefined
  /** Called with output as it arrives, without terminal escape codes. */
  readonly onOutput?: ((stream: OutputStream, text: string) => void) | undefined
}

/** An output stream of a command. */
export type OutputStream = 'stdout' | 'stderr'

/** The output of a command and how it ended. */
export interface CommandResult {
  /** The beginning and the end if the output is too long. */
  readonly stdout: string
  readonly stderr: string
  /** 128 plus the signal's number if a signal ended it, 124 if it timed out. */
  readonly exitCode: number
  readonly signal?: string
  readonly timedOut?: TimeLimit
  /** It has not ended, and continues as this task. */
  readonly task?: Task
  /** Whether part of stdout or stderr is left out. */
  readonly truncated: boolean
  /** A file with the whole output, if it is longer than what is returned. */
  readonly outputFile?: string
  readonly pid: number
  /** In milliseconds. */
  readonly duration: number
  readonly sandbox: SandboxName
  /** Further notes for the model. */
  readonly notes: readonly string[]
  /** The notes that the user should see, too: about protected files that it created. */
  readonly warnings?: readonly string[]
}

/** Which limit was exceeded: the total time, or the time without output. */
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
  /** Waits until it ends or the timeout is over, or, with `untilOutput`, until it writes something. */
  wait(options: WaitOptions): Promise<void>
  /** Writes to its standard input, and closes it with `end`. Rejects if it has none or no longer reads. */
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

/** Options of `Task.wait`. */
export interface WaitOptions {
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  readonly untilOutput?: boolean
}

/** The name of a sandbox. */
export type SandboxName = 'bubblewrap' | 'sandbox-runtime' | 'none'

/** The sandbox in use, and why others are not. */
export interface SandboxReport {
  readonly name: SandboxName
  /** The protection of the sandbox, in a sentence. */
  readonly about: string
  /** The sandboxes that were tried first, and why they are not available. */
  readonly missing: readonly { readonly name: SandboxName; readonly reason: string }[]
}
