// Part of npm run check: metrics of the sources in one line. `node scripts/shape.mjs --list` lists
// the files behind each number.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { importsOf } from './check-imports.mjs'
import { root } from './ready.mjs'

/** Files below this many lines with a single importer are candidates for folding into it. */
const SMALL = 40

/** @type {Map<string, { lines: number, imports: { path: string, isType: boolean }[], importers: Set<string> }>} */
const files = new Map()
const paths = readdirSync(`${root}/packages`, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^[^/]+\/src\/.*(?<!\.test)\.tsx?$/.test(path))
  .map((path) => `packages/${path}`)
  .sort()
for (const path of paths) {
  const source = readFileSync(`${root}/${path}`, 'utf8')
  const imports = importsOf(path, source)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, isType }) => ({
      path: posix.join(posix.dirname(path), specifier),
      isType,
    }))
  files.set(path, { lines: source.split('\n').length - 1, imports, importers: new Set() })
}
for (const [path, { imports }] of files)
  for (const each of imports) files.get(each.path)?.importers.add(path)

const all = [...files]
const single = all.filter(([, { importers }]) => importers.size === 1)
const small = single.filter(([, { lines }]) => lines < SMALL)
const chain = longestChain()
const lines = all.map(([, file]) => file.lines).sort((a, b) => a - b)
console.log(
  [
    `${all.length} files`,
    `${lines.reduce((sum, each) => sum + each, 0)} lines (median ${lines[lines.length >> 1]}, longest ${lines.at(-1)})`,
    `${single.length} with one importer, ${small.length} of them under ${SMALL} lines`,
    `longest import chain ${chain.length}`,
  ].join('; '),
)
if (process.argv.includes('--list')) {
  for (const [path, { lines, importers }] of small) console.log(lines, path, '<-', ...importers)
  console.log(chain.join('\n'))
}

/** @returns {string[]} the most files that import one another in a row */
function longestChain() {
  /** @type {Map<string, string[]>} */
  const known = new Map()
  return all.map(([path]) => from(path)).reduce((a, b) => (b.length > a.length ? b : a))

  /**
   * @param {string} path
   * @returns {string[]}
   */
  function from(path) {
    const found = known.get(path)
    if (found) return found
    // A cycle ends at its start.
    known.set(path, [path])
    const rests = (files.get(path)?.imports ?? [])
      // Types don't exist at runtime.
      .filter((each) => !each.isType && files.has(each.path))
      .map((each) => from(each.path))
    const longest = [path, ...rests.reduce((a, b) => (b.length > a.length ? b : a), [])]
    known.set(path, longest)
    return longest
  }
}
