// Prepares a fresh clone. This file must run without any installed packages.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/**
 * For the compiler and the linter, which are written in Go: more memory means fewer garbage
 * collections.
 */
export const memory = { GOGC: '400', GOMEMLIMIT: '2GiB' }
/** Third-party clients for tests. Their packages are separate, because only tests need them. */
export const clients = `${root}/tests/clients`
/** The browser for tests of the page. Its packages are also separate. */
export const browser = `${root}/tests/e2e`
/** The runtime of Cloudflare Workers. */
export const workers = `${root}/tests/workers`

/**
 * Installs and builds all parts that are missing or out of date; exits the process if that fails.
 * `light` omits the devDependencies, which only tests, checks and measurements need. Packages
 * needed for building are dependencies of this repository.
 *
 * @param {{ light?: boolean }} [options]
 */
export function ready(options) {
  install(root, options)
  if (!build()) fail('The build failed.')
}

/**
 * Installs the packages of a folder's package-lock.json, unless they are installed. Installed
 * packages are kept: after a full installation, `light` doesn't remove any.
 *
 * @param {string} [folder]
 * @param {{ light?: boolean, lenient?: boolean }} [options] `lenient`: the lock may lack optional
 * packages of other platforms,
 *   which not every registry has. `npm ci` requires them.
 */
export function install(folder = root, options) {
  const words = wordsToInstall(folder, options)
  if (words && !npm(folder, ...words)) fail(`npm ${words[0]} failed.`)
}

/**
 * Installs several folders in parallel: npm mostly waits for the network and the disk.
 *
 * @param {string[]} folders
 */
export async function installAll(folders) {
  const installing = folders.map((folder) => {
    const words = wordsToInstall(folder)
    if (!words) return Promise.resolve(0)
    const child = spawn('npm', words, { cwd: folder, stdio: ['ignore', 2, 2] })
    return new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  })
  const codes = await Promise.all(installing)
  if (codes.some((code) => code !== 0)) fail('npm ci failed.')
}

/**
 * The arguments for npm, or undefined if all packages are installed.
 *
 * @param {string} folder
 * @param {{ light?: boolean, lenient?: boolean }} [options]
 * @returns {string[] | undefined}
 */
function wordsToInstall(folder, { light = false, lenient = false } = {}) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Toolglot needs Node 20.19 or newer; this is ${process.version}. See https://nodejs.org`)
  }
  const wanted = packagesOf(`${folder}/package-lock.json`)
  const present = packagesOf(`${folder}/node_modules/.package-lock.json`)
  const omitted = light && !Object.values(present ?? {}).some(({ dev }) => dev)
  if (wanted && present && isComplete(wanted, present, omitted)) return undefined

  const what =
    folder === root
      ? 'packages (about a minute, only the first time)'
      : 'packages that only tests use'
  say(`Installing ${what} ...`)
  const which = omitted ? '--omit=dev' : '--include=dev'
  return [
    wanted && !lenient ? 'ci' : 'install',
    which,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
}

/** Builds all files that changed since the last build. Returns false if there are errors. */
export function build() {
  if (!existsSync(`${root}/packages/cli/dist`)) say('Building ...')
  return npm(root, 'run', 'build', '--silent')
}

/**
 * True if every required package is present.
 *
 * @param {Record<string, LockedPackage>} wanted
 * @param {Record<string, LockedPackage>} present
 * @param {boolean} omitted true if packages for development are not wanted
 */
export function isComplete(wanted, present, omitted) {
  return Object.entries(wanted).every(([path, { version, optional, dev }]) => {
    if (path === '' || (omitted && dev)) return true
    const found = present[path]
    // Optional packages for other platforms are in the lock but not on the disk.
    return found ? found.version === version : optional === true
  })
}

/**
 * @typedef {{ version?: string, optional?: boolean, dev?: boolean }} LockedPackage
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
  // All output goes to stderr: stdout is for the command that runs next.
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

// node scripts/ready.mjs installs and builds all parts, for scripts that need the devDependencies.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) ready()
