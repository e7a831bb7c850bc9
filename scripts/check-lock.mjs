// If npm cannot find a platform-specific package in its registry, it omits the package from the
// lock, and `npm ci` then refuses the lock. --fix adds such packages, without a hash.
import { readFileSync, writeFileSync } from 'node:fs'
import { root } from './ready.mjs'

const file = `${root}/package-lock.json`
/** @type {{ packages: Record<string, LockedPackage> }} */
const lock = JSON.parse(readFileSync(file, 'utf8'))
const missing = Object.entries(lock.packages).flatMap(missingPartsOf)

if (process.argv.includes('--fix')) {
  const packages = [...Object.entries(lock.packages), ...missing]
  packages.sort(([one], [other]) => one.localeCompare(other, 'en'))
  lock.packages = Object.fromEntries(packages)
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
} else if (missing.length > 0) {
  console.log('Missing in package-lock.json; run node scripts/check-lock.mjs --fix')
  console.log(missing.map(([path]) => path).join('\n'))
  process.exitCode = 1
}

/**
 * @param {[path: string, LockedPackage]} entry
 * @returns {[path: string, LockedPackage][]}
 */
function missingPartsOf([path, { optionalDependencies = {}, dev }]) {
  const folder = path.slice(0, path.lastIndexOf('node_modules/'))
  return Object.entries(optionalDependencies).flatMap(([name, version]) => {
    const place = `${folder}node_modules/${name}`
    if (lock.packages[place]) return []
    const { os, cpu, libc } = platformOf(name)
    return [[place, { version, cpu, dev, libc, optional: true, os }]]
  })
}

/**
 * The platform of a package, from its name, such as binding-linux-x64-gnu.
 *
 * @param {string} name
 */
function platformOf(name) {
  const words = name.split(/[/-]/)
  /** @param {string[]} known */
  const oneOf = (...known) => {
    const word = known.find((each) => words.includes(each))
    return word ? [word] : undefined
  }
  return {
    os: oneOf('android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'),
    cpu: oneOf('arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'),
    libc: words.includes('gnu') ? ['glibc'] : oneOf('musl'),
  }
}

/**
 * @typedef {object} LockedPackage
 * @property {string | undefined} version
 * @property {string[] | undefined} cpu
 * @property {boolean | undefined} dev
 * @property {string[] | undefined} libc
 * @property {boolean | undefined} optional
 * @property {string[] | undefined} os
 * @property {Record<string, string>} [optionalDependencies]
 */
