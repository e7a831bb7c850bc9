// Prepares a fresh clone. This file must run before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Installs and builds what is missing or out of date; exits the process if that fails. */
export function ready() {
  install()
  if (!build()) fail('The build failed.')
}

/** Installs the packages of package-lock.json, unless they are installed. */
export function install() {
  const [major] = process.versions.node.split('.')
  if (Number(major) < 20) {
    fail(`Toolglot needs Node 20 or newer; this is ${process.version}. See https://nodejs.org`)
  }
  if (isInstalled()) return

  say('Installing packages (about a minute, only the first time) ...')
  const command = existsSync(`${root}/package-lock.json`) ? 'ci' : 'install'
  if (!npm(command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error')) {
    fail(`npm ${command} failed.`)
  }
}

/** Builds what changed since the last build; returns false if there are errors. */
export function build() {
  if (!existsSync(`${root}/packages/cli/dist`)) say('Building ...')
  return npm('run', 'build', '--silent')
}

function isInstalled() {
  const wanted = packagesOf(`${root}/package-lock.json`)
  const present = packagesOf(`${root}/node_modules/.package-lock.json`)
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

/** @param {string[]} words */
function npm(...words) {
  // Everything goes to stderr: stdout belongs to the command that runs next.
  return spawnSync('npm', words, { cwd: root, stdio: ['ignore', 2, 2] }).status === 0
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
