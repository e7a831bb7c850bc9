import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/**
 * A child process that runs one of our programs, so that a test can kill it or run several
 * concurrently.
 */
export interface Child {
  readonly process: ChildProcess
  /** Resolves after its first output. */
  readonly ready: Promise<void>
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** All of its output, for error messages. */
  output(): string
}

/** Bundles a program into a file that plain Node can run, and returns the command line. */
export async function bundleProgram(
  program: URL,
): Promise<{ start(env: Record<string, string>, cwd: string): Child; remove(): void }> {
  // A folder from which dependencies can be resolved.
  const folder = mkdtempSync(join(import.meta.dirname, '../../../node_modules/.toolglot-'))
  const file = join(folder, 'program.mjs')
  const built = await rolldown({
    input: fileURLToPath(program),
    platform: 'node',
    external: (id) => /^[a-z@]/.test(id) && !id.startsWith('@toolglot/'),
    resolve: { conditionNames: ['@toolglot/source', 'import'] },
  })
  await built.write({ file, codeSplitting: false })
  await built.close()
  return {
    start(env, cwd) {
      const child = spawn(process.execPath, [file], { cwd, env: { ...process.env, ...env } })
      let output = ''
      child.stdout.on('data', (chunk) => (output += String(chunk)))
      child.stderr.on('data', (chunk) => (output += String(chunk)))
      const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
      const ready = Promise.race([
        once(child.stdout, 'data').then(() => {}),
        ended.then(() => {
          throw new Error(`it ended before it was ready: ${output}`)
        }),
      ])
      return { process: child, ready, ended, output: () => output }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
