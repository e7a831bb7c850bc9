import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCommand } from './start-command.ts'

export const binary: string = fileURLToPath(new URL('../bin/toolglot.js', import.meta.url))

/**
 * Variables that control the opening of a browser: the same on every machine, and none opens unless
 * a test requests it.
 */
const noBrowser = { CI: '', SSH_CONNECTION: '', BROWSER: 'none' }

/** Starts the built command. */
export function spawnCommand(
  words: readonly string[],
  env: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [binary, ...words], {
    env: { ...process.env, ...noBrowser, ...env },
  })
}

export interface ShellOptions {
  /** Files by their paths in the folder, or in the home folder if they start with `home/`. */
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** Folders in it that are trusted first, such as `.`. */
  readonly trust?: readonly string[]
  /** A command to run first, regardless of its outcome. */
  readonly before?: readonly string[]
}

/** Runs a line in a shell where `toolglot` is defined, in a folder with these files. */
export async function runInShell(
  line: string,
  { files = {}, env = {}, trust = [], before = [] }: ShellOptions = {},
): Promise<{ code: number | null; output: string; errors: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-'))
  const home = mkdtempSync(join(tmpdir(), 'toolglot-home-'))
  for (const [name, text] of Object.entries(files)) {
    const file = name.startsWith('home/') ? join(home, name.slice(5)) : join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const where = { cwd: folder, env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env } }
  if (before.length > 0) await startCommand(before, where)
  for (const each of trust) {
    const { code, errors } = await startCommand(['trust', each, '--yes'], where)
    if (code !== 0) throw new Error(`${each} could not be trusted: ${errors}`)
  }

  const withCommand = `toolglot() { '${process.execPath}' '${binary}' "$@"; }\n${line}`
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env
  const child = spawn('bash', ['-o', 'pipefail', '-c', withCommand], {
    cwd: folder,
    env: { ...inherited, ...noBrowser, HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      for (const each of [folder, home]) rmSync(each, { recursive: true })
      resolve({ code, output, errors })
    })
  })
}
