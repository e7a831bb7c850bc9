import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * How npm is started without a shell: as the program that Node runs, where it is known, and by its name elsewhere.
 * Undefined on Windows without it, where it can only be started by a shell.
 */
export function npmCommand(node: string = process.execPath): readonly string[] | undefined {
  const script = ['node_modules', '../lib/node_modules']
    .map((folder) => join(dirname(node), folder, 'npm', 'bin', 'npm-cli.js'))
    .find((path) => existsSync(path))
  if (script !== undefined) return [node, script]
  return process.platform === 'win32' ? undefined : ['npm']
}
