import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { CheckContext } from './check.ts'

const run = promisify(execFile)

/** The first line that a program prints for `--version`. */
export async function versionOf(program: string, { terminal }: CheckContext): Promise<string> {
  const { PATH = '', HOME = '/' } = terminal.env
  const { stdout } = await run(program, ['--version'], {
    cwd: '/',
    env: { PATH, HOME },
    timeout: 10_000,
    maxBuffer: 1 << 20,
  })
  return stdout.split('\n')[0]!.trim()
}
