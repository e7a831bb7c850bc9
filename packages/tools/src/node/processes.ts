// Folder: The host for Node.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type {
  CommandResult,
  Processes,
  RunOptions,
  SandboxName,
  StartOptions,
  Task,
} from '../host/processes.ts'
import type { Storage } from '../host/host.ts'
import { Capture } from '../output/capture.ts'
import { checkCommand, shellScript } from '../command/shell-script.ts'
import {
  type CommandEnd,
  type RunningCommand,
  startCommand,
  ABORT_GRACE,
  waitForEnd,
  TIMED_OUT,
  STILL_RUNNING,
  commandResult,
  notesOn,
} from '../command/start-command.ts'
import { type Environment, environmentFor } from '../process/environment.ts'
import { realRoots, resolveInside, resolveStartFolder, FOLDER_PROBLEMS } from '../paths/inside.ts'
import { type Log, logFolder, logFolderIn, openLog } from '../output/log.ts'
import { killFound } from '../process/stop-tree.ts'
import { BackgroundTask, STOP_GRACE } from '../command/background-task.ts'
import { markedProcesses } from '../process/process-tree.ts'
import {
  commandSandbox,
  guardFor,
  noteOnTracked,
  type SandboxOptions,
  trackedRepositories,
} from '../sandbox/command-sandbox.ts'
import { denialNote } from '../sandbox/denials.ts'
import { recoverFolders } from '../sandbox/guard.ts'
import type { Policy } from '../sandbox/sandbox.ts'

/** Options for `nodeProcesses`. */
export interface NodeProcessOptions {
  readonly fileSystem: FileSystemView
  readonly storage: Storage
  /** The environment for commands, which get it without its secrets. */
  readonly environment?: Environment | undefined
  /** Names of variables to keep even if they look like secrets. */
  readonly keep?: readonly string[] | undefined
  readonly sandbox?: SandboxOptions | undefined
  /** The maximum time without output, in milliseconds. Default: no limit. */
  readonly silence?: number | undefined
  /** The maximum number of characters returned of each stream. */
  readonly shown?: number | undefined
  /** Maximum size of a log, in bytes. */
  readonly logged?: number | undefined
  /** The maximum number of commands in the background. */
  readonly maxTasks?: number | undefined
}

/** The age at which logs are removed, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000
/** The maximum number of ended tasks that are remembered. */
const MAX_ENDED_TASKS = 64

interface LaunchedCommand extends RunningCommand {
  readonly sandbox: SandboxName
  readonly number: number
  /** A note for the model about the execution. */
  readonly note?: string
  /** The repositories that git tracked before, if the command runs in a sandbox. */
  readonly tracked?: readonly string[]
  readonly policy: Policy
  /** Notes on protected files that it created, complete once it has ended. */
  readonly guardNotes: readonly string[]
}

const recordsOf = (folder: string): string => join(folder, 'sandbox')

/** Runs commands on this machine. */
export function nodeProcesses(options: NodeProcessOptions): Processes {
  const { fileSystem, storage, silence } = options
  const { shown = 30_000, logged = 64 << 20, maxTasks = 16 } = options
  const hostId = randomBytes(8).toString('hex')
  const environment = options.environment ?? process.env
  const env = environmentFor(environment, options.keep)
  const tasks = new Map<string, BackgroundTask>()
  const running = new Set<RunningCommand>()
  const written = new Set<string>()
  let cwd = fileSystem.cwd
  let count = 0
  let starting = 0
  let closing: Promise<void> | undefined
  let logs: Promise<string> | undefined
  const sandboxed = commandSandbox(options.sandbox ?? {}, {
    ...{ fileSystem, storage, environment, env, logs: written },
    cwd: () => cwd,
    isBusy: () => running.size > 0,
  })

  /** Notes on files left by commands of killed processes, for the next result. */
  let recovered: Promise<readonly string[]> = existsSync(recordsOf(storage.folder))
    ? realRoots(fileSystem.roots)
        .then((roots) => recoverFolders(roots, recordsOf(storage.folder)))
        // The next command reports the failure.
        .catch(() => [])
    : Promise.resolve([])

  /** Notes of commands without a result, for the next result. */
  const unread: string[] = []

  async function newLog(): Promise<Log> {
    logs ??= logFolder(storage.folder, DAY)
    const name = `${hostId}-${count}-${randomBytes(4).toString('hex')}.log`
    const log = await openLog(join(await logs, name), logged)
    written.add(log.file)
    return log
  }

  async function launchCommand(
    command: string,
    start: StartOptions,
    capture: Capture,
    from = cwd,
  ): Promise<LaunchedCommand> {
    if (closing) throw new ToolError('execution_failed', 'This host is closed.')
    start.signal?.throwIfAborted()
    checkCommand(command, start.original)
    const folder = await resolveStartFolder(start.cwd, from, fileSystem.roots)
    const { sandbox, policy, note } = await sandboxed.hold(folder, start.network)
    const tracked = sandbox.name === 'none' ? undefined : trackedRepositories(fileSystem)
    let launched: RunningCommand | undefined
    // The output of these tasks may never be read again.
    for (const task of tasks.values()) unread.push(...task.takeNotes())
    const guardNotes = [...(await recovered), ...unread.splice(0)]
    recovered = Promise.resolve([])
    const guard = await guardFor(sandbox, policy, {
      records: recordsOf(storage.folder),
      onNotes: (notes) => void guardNotes.push(...notes),
      onFlood: () => void launched?.stop(STOP_GRACE),
    })
    const number = ++count
    try {
      const { protection } = guard
      const launch = await sandbox.wrap(shellScript(command), { ...policy, protection })
      const mark = `${hostId}.${number}.`
      const { timeout, stdin } = start
      await start.beforeStart?.().catch((error: unknown) => {
        launch.release()
        throw error
      })
      launched = await startCommand(launch, { capture, mark, timeout, silence, stdin }).catch(
        (error: unknown) => {
          throw new ToolError('execution_failed', `The shell failed to start: ${String(error)}`, {
            code: 'spawn',
          })
        },
      )
    } catch (error) {
      await guard.release()
      throw error
    }
    const ended = launched.ended.then(async (end) => (await guard.release(), end))
    const started = { ...launched, ended }
    running.add(started)
    void ended.finally(() => running.delete(started))
    if (closing) await launched.stop(0)
    return {
      ...{ ...started, sandbox: sandbox.name, number, guardNotes, policy },
      ...(note !== undefined && { note }),
      ...(tracked && { tracked }),
    }
  }

  async function startTask(command: string, start: StartOptions): Promise<Task> {
    // The permitted folder: another command may change the current one in the meantime.
    const from = cwd
    const log = await newLog()
    let task: BackgroundTask | undefined
    const onOutput = (): void => task?.notifyOutput()
    const capture = new Capture({ limit: 0, openLog: newLog, log, onOutput })
    const launched = await launchCommand(command, start, capture, from).catch((error: unknown) =>
      discardLog(log, error),
    )
    task = remember(start.original ?? command, launched, log)
    return task
  }

  function remember(
    command: string,
    launched: LaunchedCommand,
    log: Log,
    bytesRead = 0,
  ): BackgroundTask {
    const { sandbox, number } = launched
    const id = `bash_${number}`
    const task = new BackgroundTask({
      id,
      command,
      sandbox,
      running: launched,
      log,
      limit: shown,
      bytesRead,
      notes: launched.guardNotes,
    })
    tasks.set(task.id, task)
    forgetOldTasks(tasks)
    return task
  }

  /**
   * The result of a command that has ended. The next command starts in the folder in which this
   * command ended.
   */
  async function finishCommand(
    launched: LaunchedCommand,
    outcome: CommandEnd,
    capture: Capture,
    runOptions: RunOptions,
    took: number,
  ): Promise<CommandResult> {
    const captured = await capture.end()
    if (runOptions.signal?.aborted) unread.push(...launched.guardNotes)
    runOptions.signal?.throwIfAborted()
    const notes = notesOn(outcome, captured, runOptions)
    const denial =
      outcome.exitCode === 0 || launched.sandbox === 'none'
        ? undefined
        : denialNote(captured, launched.policy)
    if (launched.note !== undefined) notes.push(launched.note)
    else if (denial) notes.push(denial)
    const warnings = [
      ...launched.guardNotes,
      ...(launched.tracked ? noteOnTracked(launched.tracked, trackedRepositories(fileSystem)) : []),
    ]
    notes.push(...warnings)
    if (runOptions.cwd === undefined && outcome.folder !== undefined) {
      const next = await resolveInside(outcome.folder, cwd, fileSystem.roots)
      if ('folder' in next) cwd = next.folder
      else
        notes.push(
          `The next command starts in ${cwd} again: the folder where this one ended ${FOLDER_PROBLEMS[next.problem]}.`,
        )
    }
    return {
      ...commandResult(launched, outcome, captured, took, notes),
      ...(warnings.length > 0 && { warnings }),
    }
  }

  const active = (): readonly Task[] =>
    [...tasks.values()].filter(({ status }) => status === 'running')

  /** Runs a command until its timeout. Then it continues as a task, unless there are too many. */
  async function runThenBackground(command: string, options: RunOptions): Promise<CommandResult> {
    const { timeout, signal, onOutput, ...start } = options
    const began = performance.now()
    const from = cwd
    const log = await newLog()
    let task: BackgroundTask | undefined
    const capture = new Capture({
      limit: shown,
      openLog: newLog,
      log,
      onOutput: (stream, text) => (task ? task.notifyOutput() : onOutput?.(stream, text)),
    })
    const launched = await launchCommand(command, { ...start, signal }, capture, from).catch(
      (error: unknown) => discardLog(log, error),
    )
    let outcome = await waitForEnd(launched, signal, timeout)
    const took = (): number => performance.now() - began
    if (!outcome && active().length + starting >= maxTasks) {
      await launched.stop(STOP_GRACE)
      outcome = { ...(await launched.ended), ...TIMED_OUT }
    }
    if (outcome) return await finishCommand(launched, outcome, capture, options, took())
    task = remember(start.original ?? command, launched, log, log.size)
    const soFar = capture.soFar()
    const notes = [
      `It continues in the background as ${task.id}, after its timeout of ${timeout} ms.`,
    ]
    return { ...commandResult(launched, STILL_RUNNING, soFar, took(), notes), task }
  }

  return {
    get cwd() {
      return cwd
    },
    get started() {
      return count
    },
    get tasks() {
      return [...tasks.values()]
    },
    task: (id) => tasks.get(id),
    wrote: (path) => written.has(path),

    async restore({ folder, started = 0, outputs }) {
      count = Math.max(count, started)
      if (folder !== undefined && isAbsolute(folder)) {
        const found = await resolveInside(folder, cwd, fileSystem.roots)
        if ('folder' in found) cwd = found.folder
      }
      if (outputs.length === 0) return
      const logFiles = await realpath(logFolderIn(storage.folder)).catch(() => undefined)
      for (const file of outputs) if (dirname(file) === logFiles) written.add(file)
    },

    async run(command, runOptions) {
      if (runOptions.continueInBackground) return await runThenBackground(command, runOptions)
      const began = performance.now()
      const capture = new Capture({ limit: shown, openLog: newLog, onOutput: runOptions.onOutput })
      const launched = await launchCommand(command, runOptions, capture)
      const outcome = await waitForEnd(launched, runOptions.signal)
      return await finishCommand(launched, outcome, capture, runOptions, performance.now() - began)
    },

    async start(command, startOptions = {}) {
      if (active().length + starting >= maxTasks)
        throw new ToolError(
          'execution_failed',
          `${maxTasks} commands are running in the background, the maximum: stop one of ${active()
            .map(({ id }) => id)
            .join(', ')} first.`,
          { code: 'too_many_tasks' },
        )
      starting++
      try {
        return await startTask(command, startOptions)
      } finally {
        starting--
      }
    },

    network: (command) => sandboxed.network(command),
    temporary: () => sandboxed.temporary(),
    sandbox: () => sandboxed.report(),
    close: () => (closing ??= close()),
  }

  async function close(): Promise<void> {
    await Promise.all([...tasks.values()].map((task) => task.stop()))
    await Promise.all(
      [...running].map(
        async (launched) => (await launched.stop(ABORT_GRACE), await launched.ended),
      ),
    )
    // Kills processes that left their session and their parent.
    await killFound((listed) => markedProcesses(`${hostId}.`, listed))
    await sandboxed.close()
  }
}

/** Removes the log of a command that did not start. */
async function discardLog(log: Log, error: unknown): Promise<never> {
  await log.close()
  await rm(log.file)
  throw error
}

/** Forgets all but the latest ended tasks. */
function forgetOldTasks(tasks: Map<string, Task>): void {
  const ended = [...tasks.values()].filter(({ status }) => status !== 'running')
  for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED_TASKS))) tasks.delete(id)
}
