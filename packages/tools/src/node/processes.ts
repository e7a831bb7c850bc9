import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError, type World } from '@toolglot/agent'
import type { Processes, SandboxName, StartOptions, Task } from '../host/processes.ts'
import type { Storage } from '../host/storage.ts'
import { Capture } from '../process/capture.ts'
import { checkCommand } from '../process/check-command.ts'
import { type Outcome, type Running, startCommand } from '../process/command.ts'
import { endedOf, notesOn } from '../process/ended.ts'
import { type Environment, environmentFor } from '../process/environment.ts'
import { folderInside, realRoots, startFolder, WHERE } from '../process/folder.ts'
import { type Log, logFolder, openLog } from '../process/log.ts'
import { shellText } from '../process/shell.ts'
import { endFound } from '../process/stop.ts'
import { BackgroundTask } from '../process/task.ts'
import { marked } from '../process/tree.ts'
import { type Detected, detectSandbox } from '../sandbox/detect.ts'
import { denialIn } from '../sandbox/denials.ts'
import type { Network, Policy } from '../sandbox/sandbox.ts'

export interface ProcessOptions {
  readonly world: World
  readonly storage: Storage
  /** Whose variables commands get, without the secrets among them. */
  readonly environment?: Environment
  /** Variables that commands get although they look like secrets. */
  readonly keep?: readonly string[]
  readonly sandbox?: SandboxOptions
  /** How long a command may write nothing, in milliseconds. Undefined: as long as it may run. */
  readonly silence?: number
  /** How many characters of each stream are told. */
  readonly shown?: number
  /** How many bytes of output a log takes. */
  readonly logged?: number
  /** How many commands may run in the background at once. */
  readonly maxTasks?: number
}

export interface SandboxOptions {
  /** Which one; a command fails where that does not run. Undefined: the best that runs, or none. */
  readonly use?: SandboxName
  readonly network?: Network
  /** Folders that commands may write in, beside the roots. */
  readonly writable?: readonly string[]
}

/** A stopped call must be over at once. */
const ABORT_GRACE = 200
/** How long logs are kept, in milliseconds; and of how many ended tasks. */
const DAY = 24 * 60 * 60 * 1000
const REMEMBERED = 64

interface Begun extends Running {
  readonly sandbox: SandboxName
  readonly number: number
}

/** Commands of this machine. */
export function nodeProcesses(options: ProcessOptions): Processes {
  const { world, storage, silence, sandbox: wanted = {} } = options
  const { shown = 30_000, logged = 64 << 20, maxTasks = 16 } = options
  const host = randomBytes(8).toString('hex')
  const env = environmentFor(options.environment ?? process.env, options.keep)
  const tasks = new Map<string, BackgroundTask>()
  const running = new Set<Running>()
  let cwd = world.cwd
  let count = 0
  let starting = 0
  let closing: Promise<void> | undefined
  let logs: Promise<string> | undefined
  let temporary: Promise<string> | undefined
  let detected: Promise<Detected> | undefined

  async function newLog(): Promise<Log> {
    logs ??= logFolder(storage.folder, DAY)
    return await openLog(
      join(await logs, `${host}-${count}-${randomBytes(4).toString('hex')}.log`),
      logged,
    )
  }

  async function policyFor(folder: string): Promise<Policy> {
    temporary ??= makeTemporary(storage.folder)
    return {
      cwd: folder,
      writable: await realRoots([...world.roots, ...(wanted.writable ?? [])]),
      home: world.home,
      temporary: await temporary,
      network: wanted.network ?? 'none',
      env,
    }
  }

  async function detect(): Promise<Detected> {
    detected ??= policyFor(cwd).then((policy) => detectSandbox(policy, wanted.use))
    const found = await detected
    if (wanted.use !== undefined && wanted.use !== found.sandbox.name) {
      const reason = found.missing.map((one) => `${one.name}: ${one.reason}`).join('; ')
      throw new ToolError('execution_failed', `The sandbox asked for does not run: ${reason}`, {
        code: 'sandbox',
      })
    }
    return found
  }

  async function begin(command: string, start: StartOptions, capture: Capture): Promise<Begun> {
    if (closing)
      throw new ToolError('execution_failed', 'This host is closed: no command runs any more.')
    start.signal?.throwIfAborted()
    checkCommand(command)
    const folder = await startFolder(start.cwd, cwd, world.roots)
    const { sandbox } = await detect()
    const launch = await sandbox.wrap(shellText(command), await policyFor(folder))
    const number = ++count
    const mark = `${host}.${number}.`
    const one = await startCommand(launch, {
      capture,
      mark,
      timeout: start.timeout,
      silence,
    }).catch((error: unknown) => {
      throw new ToolError('execution_failed', `The shell does not start: ${String(error)}`, {
        code: 'spawn',
      })
    })
    running.add(one)
    void one.ended.finally(() => running.delete(one))
    if (closing) await one.stop(0)
    return { ...one, sandbox: sandbox.name, number }
  }

  async function startTask(command: string, start: StartOptions): Promise<Task> {
    const log = await newLog()
    let task: BackgroundTask | undefined
    const onOutput = (): void => task?.heard()
    const capture = new Capture({ limit: 0, openLog: newLog, log, onOutput })
    const one = await begin(command, start, capture).catch(async (error: unknown) => {
      await log.close()
      await rm(log.file)
      throw error
    })
    const { sandbox, number } = one
    task = new BackgroundTask({
      id: `bash_${number}`,
      command,
      sandbox,
      running: one,
      log,
      limit: shown,
    })
    tasks.set(task.id, task)
    forgetOld(tasks)
    return task
  }

  return {
    get cwd() {
      return cwd
    },
    get tasks() {
      return [...tasks.values()]
    },
    task: (id) => tasks.get(id),

    async run(command, runOptions) {
      const began = performance.now()
      const capture = new Capture({ limit: shown, openLog: newLog, onOutput: runOptions.onOutput })
      const one = await begin(command, runOptions, capture)
      const outcome = await endOf(one, runOptions.signal)
      const captured = await capture.end()
      runOptions.signal?.throwIfAborted()

      const notes = notesOn(outcome, captured, runOptions)
      const denial = outcome.exitCode === 0 ? undefined : denialIn(captured, one.sandbox)
      if (denial) notes.push(denial)
      if (runOptions.cwd === undefined && outcome.folder !== undefined) {
        const next = await folderInside(outcome.folder, cwd, world.roots)
        if ('folder' in next) cwd = next.folder
        else
          notes.push(
            `The next command starts in ${cwd} again: the folder it ended in is ${WHERE[next.problem]}.`,
          )
      }
      return endedOf(one, outcome, captured, performance.now() - began, notes)
    },

    async start(command, startOptions = {}) {
      const active = [...tasks.values()].filter(({ status }) => status === 'running')
      if (active.length + starting >= maxTasks)
        throw new ToolError(
          'execution_failed',
          `${maxTasks} commands run in the background, and no more may: stop one of ${active.map(({ id }) => id).join(', ')} first.`,
          { code: 'too_many_tasks' },
        )
      starting++
      try {
        return await startTask(command, startOptions)
      } finally {
        starting--
      }
    },

    async sandbox() {
      const { sandbox, missing } = await detect()
      return { name: sandbox.name, about: sandbox.about, missing }
    },

    close: () => (closing ??= close()),
  }

  async function close(): Promise<void> {
    await Promise.all([...tasks.values()].map((task) => task.stop()))
    await Promise.all(
      [...running].map(async (one) => (await one.stop(ABORT_GRACE), await one.ended)),
    )
    // What left its session and its parent on purpose.
    await endFound((listed) => marked(`${host}.`, listed))
    await (await detected?.catch(() => undefined))?.sandbox.close()
    if (temporary) await rm(await temporary, { recursive: true, force: true })
  }
}

async function makeTemporary(storage: string): Promise<string> {
  await mkdir(storage, { recursive: true, mode: 0o700 })
  return await mkdtemp(join(storage, 'tmp-'))
}

async function endOf(one: Running, signal: AbortSignal | undefined): Promise<Outcome> {
  const stop = (): void => void one.stop(ABORT_GRACE)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await one.ended
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Keeps the latest of those that have ended. */
function forgetOld(tasks: Map<string, Task>): void {
  const ended = [...tasks.values()].filter(({ status }) => status !== 'running')
  for (const { id } of ended.slice(0, Math.max(0, ended.length - REMEMBERED))) tasks.delete(id)
}
