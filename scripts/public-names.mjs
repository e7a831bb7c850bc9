// Writes docs/api.md: the public names of every package, each with the sentence shown by editors.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { root } from './ready.mjs'

/**
 * @typedef {{ name: string, kind: 'type' | 'value', sentence: string }} PublicName
 * @typedef {{ specifier: string, names: PublicName[] }} EntryPoint
 */

const page = new URL('../docs/api.md', import.meta.url)

/**
 * The entry points of every package, including `/internal`.
 *
 * @returns {Map<string, EntryPoint[]>} by package
 */
export function entryPoints() {
  const folders = readdirSync(`${root}/packages`)
  return new Map(
    folders.sort().flatMap((folder) => {
      const { name, exports = {} } = JSON.parse(read(`packages/${folder}/package.json`))
      const points = Object.entries(exports).flatMap(([path, { '@toolglot/source': source }]) =>
        // Each protocol is a separate entry point.
        source && !path.includes('*')
          ? [{ specifier: name + path.slice(1), names: namesOf(`packages/${folder}`, source) }]
          : [],
      )
      return points.length > 0 ? [/** @type {const} */ ([name, points])] : []
    }),
  )
}

/**
 * True if an entry point is public, rather than only for packages of this repository. @param
 * {EntryPoint} point
 */
export function isPublic({ specifier }) {
  return !specifier.endsWith('/internal')
}

/** The text of docs/api.md. */
export function apiPage() {
  const sections = [...entryPoints()].map(([name, points]) => {
    const shown = points.filter(isPublic)
    const count = shown.reduce((sum, { names }) => sum + names.length, 0)
    const tables = shown.map(({ specifier, names }) => {
      const rows = names.map((each) => `| \`${each.name}\` | ${cell(each.sentence)} |`)
      return `### \`${specifier}\`\n\n| name | |\n|---|---|\n${rows.join('\n')}`
    })
    return `## ${name}: ${count} names\n\n${tables.join('\n\n')}`
  })
  return `<!-- Written by npm run docs from the packages' own comments. -->

# Public names

All public exports, with the descriptions that editors show. Other exports, such as \`/internal\`, are only for the packages in this
repository and change without notice.

${sections.join('\n\n')}
`
}

/**
 * @param {string} folder
 * @param {string} source such as ./src/index.ts
 * @returns {PublicName[]}
 */
function namesOf(folder, source) {
  const file = posix.join(folder, source)
  return [...exportsOf(file).keys()].sort(byName).map((name) => ({ name, ...describe(file, name) }))
}

/**
 * @param {string} a
 * @param {string} b
 */
function byName(a, b) {
  return a.toLowerCase() < b.toLowerCase() ? -1 : 1
}

/**
 * @typedef {{ file: string, name: string } | { at: number, kind: 'type' | 'value' }} Export
 *
 * @type {Map<string, { text: string, exported: Map<string, Export> }>}
 */
const files = new Map()

/**
 * The exports of a file, each with the file it comes from or the position of its declaration.
 *
 * @param {string} file
 */
function exportsOf(file) {
  return fileOf(file).exported
}

/** @param {string} file */
function fileOf(file) {
  const known = files.get(file)
  if (known) return known
  const text = read(file)
  /** @type {Map<string, Export>} */
  const exported = new Map()
  /** @type {any[]} */
  const body = parseAst(text, { lang: 'ts' }, file).body
  /** @type {Map<string, Export>} */
  const local = new Map()
  for (const node of body) {
    if (node.type === 'ImportDeclaration' && node.source.value.startsWith('.'))
      for (const { local: as, imported } of node.specifiers)
        local.set(as.name, {
          file: beside(file, node.source.value),
          name: imported?.name ?? 'default',
        })
    const declaration = node.declaration ?? node
    for (const name of declared(declaration))
      // Only the first of several overloads has the comment.
      if (!local.has(name)) local.set(name, { at: node.start, kind: kindOf(declaration) })
  }
  for (const node of body) {
    if (node.type === 'ExportDefaultDeclaration')
      exported.set('default', { at: node.start, kind: 'value' })
    if (node.type === 'ExportAllDeclaration' && node.exported)
      exported.set(node.exported.name, { at: node.start, kind: 'value' })
    else if (node.type === 'ExportAllDeclaration') {
      const from = sourceOf(file, node.source.value)
      for (const name of exportsOf(from).keys()) exported.set(name, { file: from, name })
    }
    if (node.type !== 'ExportNamedDeclaration') continue
    for (const { local: from, exported: as } of node.specifiers) {
      const found = node.source
        ? { file: sourceOf(file, node.source.value), name: from.name }
        : local.get(from.name)
      if (found) exported.set(as.name, found)
    }
    for (const name of declared(node.declaration)) exported.set(name, local.get(name) ?? never())
  }
  const found = { text, exported }
  files.set(file, found)
  return found
}

/**
 * The file that is imported: a relative one, or an entry point of a package in this repository.
 *
 * @param {string} file
 * @param {string} specifier
 */
function sourceOf(file, specifier) {
  if (specifier.startsWith('.')) return beside(file, specifier)
  const [, folder, ...path] = specifier.split('/')
  const { exports } = JSON.parse(read(`packages/${folder}/package.json`))
  return posix.join(`packages/${folder}`, exports[['.', ...path].join('/')]['@toolglot/source'])
}

/**
 * @param {string} file
 * @param {string} specifier
 */
function beside(file, specifier) {
  return posix.join(posix.dirname(file), specifier)
}

/**
 * @param {any} declaration
 * @returns {string[]}
 */
function declared(declaration) {
  if (declaration?.id) return [declaration.id.name]
  return (declaration?.declarations ?? []).map((/** @type {any} */ each) => each.id.name)
}

/**
 * @param {any} declaration
 * @returns {'type' | 'value'}
 */
function kindOf({ type }) {
  return /Interface|TypeAlias/.test(type) ? 'type' : 'value'
}

/** @returns {never} */
function never() {
  throw new Error('Every declaration should have been collected before.')
}

/**
 * @param {string} file
 * @param {string} name
 * @returns {{ kind: 'type' | 'value', sentence: string }}
 */
function describe(file, name) {
  const { text, exported } = fileOf(file)
  const found = exported.get(name)
  if (!found) throw new Error(`${file} does not export ${name}`)
  if (!('at' in found)) return describe(found.file, found.name)
  return { kind: found.kind, sentence: sentenceBefore(text, found.at) }
}

/**
 * The text of the comment that ends directly before a position.
 *
 * @param {string} text
 * @param {number} at
 */
function sentenceBefore(text, at) {
  const before = text.slice(0, at).trimEnd()
  if (!before.endsWith('*/')) return ''
  const lines = before.slice(0, -2).split('\n')
  // A line of a comment may contain `src/**`, but doesn't start with it.
  const start = lines.map((line) => line.trimStart().startsWith('/**')).lastIndexOf(true)
  return lines
    .slice(start)
    .map((line, index) => line.trimStart().replace(index === 0 ? '/**' : /^\* ?/, ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * A sentence as a cell of a table. Between backticks, only `|` needs a backslash.
 *
 * @param {string} sentence
 */
function cell(sentence) {
  const plain = sentence.split('`').map((part, index) => {
    return index % 2 === 0 ? part.replaceAll('<', '\\<') : part
  })
  return plain.join('`').replaceAll('|', '\\|')
}

/** @param {string} file from the root of the repository */
function read(file) {
  return readFileSync(`${root}/${file}`, 'utf8')
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(page, apiPage())
}
