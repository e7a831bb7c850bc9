import { spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import { binary } from './spawn-command.ts'

export interface PseudoTerminal {
  type(keys: string): void
  /** Waits until the output since the last wait matches; resolves to that output. */
  until(pattern: RegExp): Promise<string>
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
  /** The whole output, without escape sequences. */
  text(): string
  raw(): string
  /** Closes the terminal, as closing its window does. */
  hangUp(): void
  /** The process id of the command itself. */
  pid(): number
}

/** Starts the built command in a new terminal. */
export function openTerminal(
  words: readonly string[],
  {
    cwd,
    env,
    columns = 90,
  }: { cwd: string; env: Readonly<Record<string, string>>; columns?: number },
): PseudoTerminal {
  const quoted = [process.execPath, binary, ...words].map(
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  )
  const line = `stty cols ${columns} rows 40; exec ${quoted.join(' ')}`
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env
  const child = spawn('script', ['-qfec', line, '/dev/null'], {
    cwd,
    env: { ...inherited, TERM: 'xterm', SHELL: '/bin/sh', ...env },
  })
  let raw = ''
  let seen = 0
  let wake = (): void => {}
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    raw += chunk
    wake()
  })
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      resolve(code)
      wake()
    }),
  )
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return {
    ended,
    type: (keys) => void child.stdin.write(keys),
    text: () => stripVTControlCharacters(raw),
    raw: () => raw,
    hangUp: () => void child.kill('SIGKILL'),
    pid() {
      const found = spawnSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], {
        encoding: 'utf8',
      })
      const [pid, ...others] = found.stdout.trim().split(/\s+/).map(Number)
      if (!pid || others.length > 0) throw new Error(`not one child: ${found.stdout}`)
      return pid
    },
    async until(pattern) {
      for (;;) {
        const fresh = stripVTControlCharacters(raw.slice(seen))
        if (pattern.test(fresh)) {
          seen = raw.length
          return fresh
        }
        if (child.exitCode !== null)
          throw new Error(`the command exited before ${pattern} matched: ${fresh}`)
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
