// Part of npm run check: checks that published packages would be complete, and that their types
// match their code. Packs every package once, for both.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { pack } from './pack.mjs'

/** Resolution modes to ignore: the packages are ESM, so CommonJS and old resolvers don't matter. */
const IGNORED = ['node10', 'node16-cjs']

const folder = mkdtempSync(join(tmpdir(), 'toolglot-check-'))
/** @type {string[]} */
const problems = []

try {
  const packed = pack(folder)
  for (const [name, archive] of packed) {
    const data = new Uint8Array(readFileSync(archive))
    const found = [...(await publishing(data)), ...(await types(name, data))]
    problems.push(...found.map((problem) => `packages/${name}: ${problem}`))
  }
  console.log(problems.join('\n') || `${packed.size} packages can be published`)
} finally {
  rmSync(folder, { recursive: true })
}
if (problems.length > 0) process.exitCode = 1

/** @param {Uint8Array<ArrayBuffer>} data */
async function publishing(data) {
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true })
  return messages.map((message) => formatMessage(message, pkg) ?? message.code)
}

/**
 * @param {string} name
 * @param {Uint8Array<ArrayBuffer>} data
 */
async function types(name, data) {
  // A program, which is never imported.
  if (name === 'cli') return []
  const result = await checkPackage(createPackageFromTarballData(data))
  if (!result.types) return ['the package has no types']
  return result.problems
    .filter((each) => !('resolutionKind' in each && IGNORED.includes(each.resolutionKind)))
    .map((each) => JSON.stringify(each))
}
