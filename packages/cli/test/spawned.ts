import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { spawnCommand } from './spawn-command.ts'

/** The built command in another process. */
export interface Spawned {
  readonly child: ReturnType<typeof spawnCommand>
  readonly output: () => string
  readonly errors: () => string
  /**
   * Waits until the output to standard output and standard error matches. Fails if the process ends
   * first.
   */
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly ended: () => Promise<number | null>
}

/** Starts the built command in another process. It is killed at the end of the test. */
export function spawned(
  words: readonly string[],
  { env, input = '' }: { readonly env: Readonly<Record<string, string>>; readonly input?: string },
): Spawned {
  return watched(spawnCommand(words, { ...env }), input)
}

/** Starts one of our programs in another Node process. It is killed at the end of the test. */
export function spawnedProgram(
  words: readonly string[],
  { env }: { readonly env: Readonly<Record<string, string>> },
): Spawned {
  return watched(spawn(process.execPath, words, { env: { ...process.env, ...env } }))
}

function watched(child: ReturnType<typeof spawnCommand>, input = ''): Spawned {
  child.stdin.end(input)
  const closed = once(child, 'close') as Promise<[number | null]>
  const written = writtenBy(child.stdout, child.stderr, closed)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  return { child, ...written, ended: async () => (await closed)[0] }
}

/** Collects the output of a stream until it ends. */
export function writtenBy(
  standardOutput: Readable,
  standardError: Readable,
  closed: Promise<unknown>,
): Pick<Spawned, 'output' | 'errors' | 'until'> {
  let output = ''
  let errors = ''
  let wake = (): void => {}
  standardOutput.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    wake()
  })
  standardError.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
    wake()
  })
  let isOver = false
  void closed.then(() => {
    isOver = true
    wake()
  })
  return {
    output: () => output,
    errors: () => errors,
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(output) ?? pattern.exec(errors)
        if (found) return found
        if (isOver) throw new Error(`it ended before ${pattern} came: ${output}${errors}`)
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
