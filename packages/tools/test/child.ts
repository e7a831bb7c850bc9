import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** A process of its own that runs one of our programs: to be killed, or to work beside others. */
export interface Child {
  readonly process: ChildProcess
  /** It has written its first line. */
  readonly ready: Promise<void>
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** All that it has written, for who wonders why it failed. */
  output(): string
}

/** Makes a program one file that plain Node runs, since it cannot read our sources by itself; and how to start it. */
export async function bundleProgram(
  program: URL,
): Promise<{ start(env: Record<string, string>, cwd: string): Child; remove(): void }> {
  // Where packages of others are found.
  const folder = mkdtempSync(join(import.meta.dirname, '../../../node_modules/.toolglot-'))
  const file = join(folder, 'program.mjs')
  const built = await rolldown({
    input: fileURLToPath(program),
    platform: 'node',
    external: (id) => /^[a-z@]/.test(id) && !id.startsWith('@toolglot/'),
    resolve: { conditionNames: ['source', 'import'] },
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
