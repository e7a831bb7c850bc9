import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { isInside } from '@toolglot/agent/node'
import type { Place } from './check.ts'

/** Where a program is on the PATH; nothing that lies in the folder is taken for one. */
export function findProgram(name: string, { terminal, cwd }: Place): string | undefined {
  return (terminal.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(folder, cwd))
    .map((folder) => join(folder, name))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // It is not there, or not for us.
    return false
  }
}

const run = promisify(execFile)

/** The first line of what a program says of its version. */
export async function versionOf(program: string, { terminal }: Place): Promise<string> {
  const { PATH = '', HOME = '/' } = terminal.env
  const { stdout } = await run(program, ['--version'], {
    cwd: '/',
    env: { PATH, HOME },
    timeout: 10_000,
    maxBuffer: 1 << 20,
  })
  return stdout.split('\n')[0]!.trim()
}
