// Prepares a fresh clone. This file must run before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The clients of others that tests use. They have their own packages, which only tests need. */
export const clients = `${root}/tests/clients`
/** The browser that tests of the page use. It has its own packages, too. */
export const browser = `${root}/tests/e2e`

/** Installs and builds what is missing or out of date; exits the process if that fails. */
export function ready() {
  install()
  if (!build()) fail('The build failed.')
}

/** Installs the packages of a folder's package-lock.json, unless they are installed. */
export function install(folder = root) {
  const [major] = process.versions.node.split('.')
  if (Number(major) < 20) {
    fail(`Toolglot needs Node 20 or newer; this is ${process.version}. See https://nodejs.org`)
  }
  if (isInstalled(folder)) return

  const what =
    folder === root
      ? 'packages (about a minute, only the first time)'
      : 'packages that only tests use'
  say(`Installing ${what} ...`)
  const command = existsSync(`${folder}/package-lock.json`) ? 'ci' : 'install'
  const words = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  if (!npm(folder, command, ...words)) {
    fail(`npm ${command} failed.`)
  }
}

/** Builds what changed since the last build; returns false if there are errors. */
export function build() {
  if (!existsSync(`${root}/packages/cli/dist`)) say('Building ...')
  return npm(root, 'run', 'build', '--silent')
}

/** @param {string} folder */
function isInstalled(folder) {
  const wanted = packagesOf(`${folder}/package-lock.json`)
  const present = packagesOf(`${folder}/node_modules/.package-lock.json`)
  if (!wanted || !present) return false

  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true
    const found = present[path]
    // Optional packages for other platforms are in the lock but not on the disk.
    return found ? found.version === version : optional === true
  })
}

/**
 * @typedef {{ version?: string, optional?: boolean }} LockedPackage
 * @param {string} lockFile
 * @returns {Record<string, LockedPackage> | undefined}
 */
function packagesOf(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : undefined
}

/**
 * @param {string} folder
 * @param {string[]} words
 */
function npm(folder, ...words) {
  // Everything goes to stderr: stdout belongs to the command that runs next.
  return spawnSync('npm', words, { cwd: folder, stdio: ['ignore', 2, 2] }).status === 0
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${line}\n`)
}

/**
 * @param {string} line
 * @returns {never}
 */
function fail(line) {
  say(line)
  process.exit(1)
}
