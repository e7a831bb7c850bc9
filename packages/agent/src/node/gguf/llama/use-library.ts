import { type ChildProcess, spawn } from 'node:child_process'
import { renameSync, rmSync, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import type { ConnectProgress } from '../../../model/find/kinds/kind.ts'
import { ModelError } from '../../../model/model-error.ts'
import { plainLine } from '../../../model/plain-line.ts'
import { makeFolder } from '../../state-folder.ts'

/**
 * The URL of node-llama-cpp, which is installed first if it is missing. Concurrent callers share an
 * installation, which continues even if one of them aborts.
 */
export async function useLibrary(options: InstallOptions): Promise<string> {
  const { folder } = options
  const found = findLibrary(folder)
  if (found !== undefined) return found
  let installing = all.get(folder)
  if (!installing) {
    installing = installLibrary(options).finally(() => all.delete(folder))
    all.set(folder, installing)
  }
  await installing
  const library = findLibrary(folder)
  if (library !== undefined) return library
  throw new Error('node-llama-cpp was installed but cannot be found')
}

const all = new Map<string, Promise<void>>()

/** Options for installing node-llama-cpp. */
export interface InstallOptions {
  /** The folder for the installation. It is created or replaced. */
  readonly folder: string
  /** Asks the user for permission. Undefined if no user is present. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
  readonly onProgress?: ((progress: ConnectProgress) => void) | undefined
  /** The command for running npm. */
  readonly npm?: readonly string[] | undefined
  /** The timeout in milliseconds. */
  readonly timeout?: number
}

/**
 * Installs node-llama-cpp with the user's permission. Throws a ModelError that contains the command
 * for a manual installation.
 */
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
      `node-llama-cpp, which GGUF files need, has no build for ${process.platform}-${process.arch}. Use a model server such as Ollama.`,
    )
  const packages = [`node-llama-cpp@${LLAMA_VERSION}`, `${platform}@${LLAMA_VERSION}`]
  const byHand = `npm install --prefix '${folder}' ${FLAGS.join(' ')} ${packages.join(' ')}`
  const fail = (problem: string): ModelError =>
    new ModelError(
      'refused',
      `GGUF files need node-llama-cpp ${LLAMA_VERSION}, but ${problem}. To install it manually: ${byHand}`,
    )
  if (!confirm) throw fail('it is not installed, and no user is present to give permission')
  const question = `GGUF files need node-llama-cpp ${LLAMA_VERSION}. Install it from npm into ${folder} (85 MB)?`
  if (!(await confirm(question))) throw fail('it is not installed, and you declined to install it')
  const [program, ...words] = npm ?? []
  if (program === undefined) throw fail('it is not installed, and npm was not found')

  // Install into a temporary folder, so that an incomplete installation is never used.
  const temporary = `${folder}.${process.pid}-${Date.now()}`
  try {
    makeFolder(temporary)
    const note = (done: number): void =>
      onProgress?.({
        text: `Installing node-llama-cpp ${LLAMA_VERSION}`,
        done: Math.min(done, PACKAGE_COUNT),
        total: PACKAGE_COUNT,
      })
    note(0)
    const child = spawn(
      program,
      [...words, 'install', '--prefix', temporary, ...FLAGS, ...LOGS, ...packages],
      // The command does not run in a project's folder, whose settings could select another
      // registry.
      { cwd: temporary, stdio: ['ignore', 'ignore', 'pipe'], timeout, windowsHide: true },
    )
    const problem = await watch(child, note)
    if (problem !== undefined) throw fail(`installing it failed (${problem})`)
    rmSync(folder, { recursive: true, force: true })
    renameSync(temporary, folder)
  } catch (error) {
    if (error instanceof ModelError) throw error
    // The disk is full, or the folder is not writable.
    throw fail(
      `installing it failed (${plainLine(error instanceof Error ? error.message : String(error))})`,
    )
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Do not run the scripts of packages. */
const FLAGS = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
const LOGS = ['--loglevel=http', '--no-progress', '--no-update-notifier']

/** The number of packages, for showing progress. */
const PACKAGE_COUNT = 117

/** Waits for npm while counting the packages it downloads. Returns the problem, if any. */
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

/**
 * The command for running npm without a shell: Node with npm's script if that is found, or else
 * `npm`. Undefined on Windows without that script, because only a shell can run npm there.
 */
export function npmCommand(node: string = process.execPath): readonly string[] | undefined {
  const script = ['node_modules', '../lib/node_modules']
    .map((folder) => join(dirname(node), folder, 'npm', 'bin', 'npm-cli.js'))
    .find((path) => existsSync(path))
  if (script !== undefined) return [node, script]
  return process.platform === 'win32' ? undefined : ['npm']
}

/** The version of node-llama-cpp to install, because its API differs between versions. */
const LLAMA_VERSION = '3.22.1'

/** The URL of node-llama-cpp if it is installed next to the program or in the given folder. */
export function findLibrary(folder: string): string | undefined {
  const path = pathFrom(import.meta.url) ?? pathIn(folder)
  return path === undefined ? undefined : pathToFileURL(path).href
}

/** The path of the library in the folder. Other versions are ignored. */
function pathIn(folder: string): string | undefined {
  try {
    const file = join(folder, 'node_modules', 'node-llama-cpp', 'package.json')
    const { version } = JSON.parse(readSmallFile(file) ?? '') as { readonly version?: unknown }
    return version === LLAMA_VERSION ? pathFrom(join(folder, 'package.json')) : undefined
  } catch {
    // It is not installed in this folder.
    return undefined
  }
}

function pathFrom(place: string): string | undefined {
  try {
    return createRequire(place).resolve('node-llama-cpp')
  } catch {
    // It is not installed in this folder.
    return undefined
  }
}

/**
 * The package with llama.cpp for an operating system and processor, or undefined if there is none.
 */
export function platformPackage(
  platform: string = process.platform,
  processor: string = process.arch,
): string | undefined {
  const name = PACKAGES[`${platform}-${processor}`]
  return name && `@node-llama-cpp/${name}`
}

const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'linux-arm': 'linux-armv7l',
  'linux-arm64': 'linux-arm64',
  'linux-riscv64': 'linux-riscv64',
  'linux-x64': 'linux-x64',
  'win32-arm64': 'win-arm64',
  'win32-x64': 'win-x64',
}
