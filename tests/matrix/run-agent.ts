import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Agent, StartOptions } from './agent.ts'

/** A folder for an agent, and a new home. */
export interface Place {
  readonly folder: string
  readonly home: string
  remove(): Promise<void>
}

export async function newPlace(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'toolglot-agent-'))
  const [folder, home] = [join(root, 'work'), join(root, 'home')]
  await mkdir(folder)
  await mkdir(home)
  return { folder, home, remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }) }
}

/** The output of an agent. */
export interface Ran {
  readonly code: number | null
  readonly output: string
}

/**
 * Runs an agent until it ends. If that takes too long, it is stopped with all its child processes.
 */
export async function runAgent(agent: Agent, options: StartOptions): Promise<Ran> {
  await agent.prepare?.(options)
  const { command, env = {}, files = {} } = agent.start(options)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  const [program, ...words] = command
  const { home, folder } = options
  const child = spawn(program, words, {
    cwd: folder,
    // Omits variables that an agent could use as its own settings.
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TMPDIR: home,
      TERM: 'dumb',
      LANG: 'C.UTF-8',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const timer = setTimeout(() => stop(child.pid), MAX_TIME)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  stop(child.pid)
  return { code, output }
}

const MAX_TIME = 150_000

/** Stops a process and its child processes. */
function stop(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // No process is left.
  }
}
