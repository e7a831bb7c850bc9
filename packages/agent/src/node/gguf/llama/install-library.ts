import { type ChildProcess, spawn } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { ConnectProgress } from '../../../model/find/connect-options.ts'
import { ModelError } from '../../../model/model-error.ts'
import { plainLine } from '../../../model/plain-line.ts'
import { makeFolder } from '../../make-folder.ts'
import { LLAMA_VERSION } from './find-library.ts'
import { npmCommand } from './npm-command.ts'
import { platformPackage } from './platform-package.ts'

/** How node-llama-cpp is installed. */
export interface InstallOptions {
  /** The folder that it is installed into: it is created or replaced. */
  readonly folder: string
  /** Asks a person for consent. Undefined: there is nobody to ask. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
  readonly onProgress?: ((progress: ConnectProgress) => void) | undefined
  /** How npm is started. */
  readonly npm?: readonly string[] | undefined
  /** How long it may take, in milliseconds. */
  readonly timeout?: number
}

/** Installs node-llama-cpp with a person's consent. Throws a ModelError that says how to do it by hand. */
export async function installLibrary({
  folder,
  confirm,
  onProgress,
  npm = npmCommand(),
  timeout = 15 * 60_000,
}: InstallOptions): Promise<void> {
  const platform = platformPackage()
  if (platform === undefined)
    throw new ModelError(
      'refused',
      `node-llama-cpp, which GGUF files need, has no build for ${process.platform}-${process.arch}: use a model server such as Ollama.`,
    )
  const packages = [`node-llama-cpp@${LLAMA_VERSION}`, `${platform}@${LLAMA_VERSION}`]
  const byHand = `npm install --prefix '${folder}' ${FLAGS.join(' ')} ${packages.join(' ')}`
  const fail = (problem: string): ModelError =>
    new ModelError(
      'refused',
      `GGUF files need node-llama-cpp ${LLAMA_VERSION}, but ${problem}. To install it by hand: ${byHand}`,
    )
  if (!confirm) throw fail('it is not installed, and there is nobody to ask for consent')
  const question = `GGUF files need node-llama-cpp ${LLAMA_VERSION}. Install it from npm into ${folder} (85 MB)?`
  if (!(await confirm(question))) throw fail('it is not installed, and you declined to install it')
  const [program, ...words] = npm ?? []
  if (program === undefined) throw fail('it is not installed, and there is no npm to install it')

  // What is half installed must never be used.
  const temporary = `${folder}.${process.pid}-${Date.now()}`
  try {
    makeFolder(temporary)
    const note = (done: number): void =>
      onProgress?.({
        text: `Installing node-llama-cpp ${LLAMA_VERSION}`,
        done: Math.min(done, PACKAGES),
        total: PACKAGES,
      })
    note(0)
    const child = spawn(
      program,
      [...words, 'install', '--prefix', temporary, ...FLAGS, ...LOGS, ...packages],
      // Not in the folder of a project, whose settings could name another registry.
      { cwd: temporary, stdio: ['ignore', 'ignore', 'pipe'], timeout, windowsHide: true },
    )
    const problem = await watch(child, note)
    if (problem !== undefined) throw fail(`installing it failed (${problem})`)
    rmSync(folder, { recursive: true, force: true })
    renameSync(temporary, folder)
  } catch (error) {
    if (error instanceof ModelError) throw error
    // The disk is full, or the folder cannot be written.
    throw fail(
      `installing it failed (${plainLine(error instanceof Error ? error.message : String(error))})`,
    )
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Nothing that packages bring is run. */
const FLAGS = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
const LOGS = ['--loglevel=http', '--no-progress', '--no-update-notifier']

/** How many packages there are. */
const PACKAGES = 117

/** Waits for npm, and counts the packages that it gets. Returns what went wrong. */
async function watch(
  child: ChildProcess,
  note: (done: number) => void,
): Promise<string | undefined> {
  const stop = (): void => void child.kill()
  process.once('exit', stop)
  const errors: string[] = []
  let done = 0
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.startsWith('npm http') && line.includes('.tgz')) note(++done)
      else if (/^npm (error|ERR!)/.test(line) && errors.length < 3)
        errors.push(plainLine(line.replace(/^npm (error|ERR!) ?/, '')))
    })
  try {
    return await new Promise((resolve) => {
      child.once('error', ({ message }) => resolve(plainLine(message)))
      child.once('close', (code, signal) => {
        if (code === 0) resolve(undefined)
        else resolve(errors.join(' ') || `npm ended with ${code ?? signal}`)
      })
    })
  } finally {
    process.off('exit', stop)
  }
}
