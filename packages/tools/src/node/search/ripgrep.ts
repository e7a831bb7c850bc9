import { spawn } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import { isProgram, isInAny } from '../../paths/programs.ts'

/** Options for `runRipgrep`. */
interface RipgrepOptions {
  readonly cwd?: string
  /** Open files, passed as /dev/fd/3, /dev/fd/4 and so on. */
  readonly descriptors?: readonly number[]
  readonly signal: AbortSignal
  /** The timeout, in milliseconds. */
  readonly timeout?: number | undefined
  /** Called with ripgrep's output as it arrives. Return false to stop. */
  readonly onText: (text: string) => boolean
}

/** The end of a ripgrep process. */
export interface RipgrepEnd {
  /** 0: found; 1: nothing found; 2: error; null: stopped. */
  readonly code: number | null
  readonly timedOut: boolean
  /** The beginning of its error output. */
  readonly errors: string
}

/** Runs ripgrep, without any configuration or environment. */
export function runRipgrep(
  program: string,
  args: readonly string[],
  { cwd, descriptors = [], signal, timeout, onText }: RipgrepOptions,
): Promise<RipgrepEnd> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = spawn(program, ['--no-config', '--color=never', ...args], {
      cwd,
      env: {},
      stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
    })
    const stdout = new StringDecoder('utf8')
    const stderr = new StringDecoder('utf8')
    let complaints = ''
    let timedOut = false
    let wanted = true
    const kill = () => child.kill('SIGKILL')
    const timer =
      timeout === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true
            kill()
          }, timeout)
    signal.addEventListener('abort', kill, { once: true })

    child.stdout!.on('data', (chunk: Buffer) => {
      if (wanted && !signal.aborted) wanted = onText(stdout.write(chunk))
      if (!wanted) kill()
    })
    child.stderr!.on('data', (chunk: Buffer) => {
      if (complaints.length < MAX_ERRORS) complaints += stderr.write(chunk)
    })
    child.on('error', finish)
    child.on('close', (code) => finish(undefined, code))

    function finish(error?: Error, code: number | null = null): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', kill)
      if (signal.aborted) reject(signal.reason as Error)
      else if (error) reject(error)
      else resolve({ code, timedOut, errors: complaints.slice(0, MAX_ERRORS).trim() })
    }
  })
}

const MAX_ERRORS = 8192

/** The environment and the workspace for finding ripgrep. */
export interface FindRipgrepOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The workspace. Programs in it are not trusted. */
  readonly roots?: readonly string[]
}

/** Finds ripgrep: at `RG_PATH`, installed with this package, or in a system folder. */
export async function findRipgrep(options: FindRipgrepOptions = {}): Promise<string> {
  const { environment = process.env, roots = [] } = options
  const configured = environment['RG_PATH']
  if (configured) {
    const problem = distrustReason(configured, roots)
    if (problem) throw missingError(`RG_PATH is ${JSON.stringify(configured)}, which ${problem}.`)
    return configured
  }
  const found = (await findInstalled()) ?? findOnSystemPath(environment['PATH'] ?? '', roots)
  if (found === undefined)
    throw missingError('Found neither @vscode/ripgrep for this platform nor rg in a system folder.')
  return found
}

function missingError(why: string): ToolError {
  return new ToolError(
    'execution_failed',
    `Searching requires ripgrep. ${why} Install it, or set RG_PATH to the absolute path of rg.`,
    { code: 'no_ripgrep' },
  )
}

async function findInstalled(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    return isProgram(rgPath) ? rgPath : undefined
  } catch {
    // The package throws if it has no binary for this platform.
    return undefined
  }
}

const SYSTEM_FOLDERS = [
  '/usr/bin',
  '/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/opt/local/bin',
  '/run/current-system/sw/bin',
]

function findOnSystemPath(path: string, roots: readonly string[]): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => SYSTEM_FOLDERS.includes(folder))
    .map((folder) => join(folder, 'rg'))
    .find((program) => distrustReason(program, roots) === undefined)
}

/** The reason why a program must not be started; undefined if it may be. */
function distrustReason(program: string, roots: readonly string[]): string | undefined {
  if (!isAbsolute(program)) return 'is not an absolute path'
  if (isInAny(program, roots)) return 'is in the workspace'
  if (!isProgram(program)) return 'is not a program'
  return (statSync(program).mode & 0o022) === 0 ? undefined : 'other users can write to'
}
