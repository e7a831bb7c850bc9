import { spawn } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'

/** Options of `runRipgrep`. */
export interface RipgrepOptions {
  readonly cwd?: string
  /** Open files, passed as /dev/fd/3, /dev/fd/4 and so on. */
  readonly descriptors?: readonly number[]
  readonly signal: AbortSignal
  /** In milliseconds. */
  readonly timeout?: number | undefined
  /** Called with its output as it arrives. Return false to stop. */
  readonly onText: (text: string) => boolean
}

/** How ripgrep ended. */
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
