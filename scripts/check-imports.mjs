// Rules for imports: packages depend on each other in one direction only, core depends on nothing,
// and inside core only the lists of protocols import protocols.
import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { root } from './ready.mjs'

/** @type {Record<string, string[]>} */
const mayImport = {
  core: [],
  permissions: [],
  agent: ['core', 'permissions'],
  tools: ['core', 'permissions', 'agent'],
  workspace: ['core', 'permissions', 'agent', 'tools'],
  server: ['core', 'permissions', 'agent', 'tools', 'workspace'],
  cli: ['core', 'permissions', 'agent', 'postgres', 'tools', 'workspace', 'server'],
  react: ['core', 'permissions', 'agent', 'server'],
  web: ['core', 'permissions', 'agent', 'server', 'react'],
  postgres: ['agent'],
  'ai-sdk': ['core', 'agent'],
  managers: ['core', 'permissions', 'agent', 'tools'],
}

/**
 * Functions that open or read a file. All of them wait forever for a pipe, or read a device
 * endlessly, so files are read with packages/permissions/src/node/read-file.ts. The exceptions:
 */
const readers = ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream']
const mayRead = [
  'packages/permissions/src/node/read-file.ts',
  // Files of the program itself.
  'packages/cli/src/version.ts',
  'packages/server/src/version.ts',
  'packages/server/src/api/routes/openapi.ts',
  'packages/server/src/routes/page.ts',
  'packages/workspace/src/code/import-file.ts',
  'packages/workspace/src/tools/open-tools.ts',
  // System files in /proc.
  'packages/tools/src/process/',
  // These files check that the opened path is a file.
  'packages/agent/src/node/cassette-file.ts',
  'packages/tools/src/node/files/file-system-calls.ts',
  'packages/tools/src/node/search/open-path.ts',
  // Files already opened by openRegularFile or the shell.
  'packages/cli/src/input/file.ts',
  // New files that they create, and folders that they sync.
  'packages/agent/src/node/journal/holders.ts',
  'packages/agent/src/node/journal/prepare-file.ts',
  'packages/server/src/security/token-file.ts',
  'packages/tools/src/checkpoint/',
  'packages/tools/src/command/background-task.ts',
  'packages/tools/src/mcp/client/pins.ts',
  'packages/tools/src/output/log.ts',
  'packages/tools/src/sandbox/aside.ts',
  'packages/tools/src/tools/todo-list.ts',
  'packages/workspace/src/write-whole.ts',
  // The conformance checks of a host, which only tests run.
  'packages/tools/src/conformance/',
]

const core = 'packages/core/src'
/** Packages that also run in a browser: only this folder of each may need Node. */
const nodeFolders = {
  permissions: 'packages/permissions/src/node/',
  agent: 'packages/agent/src/node/',
}
/** A part of the server that runs anywhere: it imports only itself and these packages. */
const gateway = 'packages/server/src/gateway/'
const gatewayMayImport = ['core', 'agent']
/** The client of the server also runs anywhere: it imports only types from other parts. */
const client = 'packages/server/src/client/'
const clientMayImport = ['eventsource-parser']
/** Code that these two share with the rest of the server. It has no imports. */
const anywhere = 'packages/server/src/anywhere/'
const protocolsMayImport = [
  `${core}/draw.ts`,
  `${core}/protocol.ts`,
  `${core}/print/spaced.ts`,
  `${core}/python/print.ts`,
  `${core}/wire.ts`,
  `${core}/prompt/`,
  `${core}/protocols/`,
]
const mayImportProtocols = [
  `${core}/registry.ts`,
  `${core}/protocol-list.ts`,
  `${core}/protocol-families.ts`,
  `${core}/protocol-prompts.ts`,
  `${core}/protocols/`,
]

/**
 * The imports of one file that break the rules, one line each.
 *
 * @param {string} path from the root of the repository, such as packages/core/src/parse.ts
 * @param {string} source
 * @returns {string[]}
 */
export function problems(path, source) {
  const name = path.split('/')[1] ?? ''
  if (!mayImport[name])
    return [`${path}: packages/${name} has no rule in scripts/check-imports.mjs`]

  return importsOf(path, source).flatMap(({ specifier, isType, names }) => {
    const problem = problemOf(path, specifier, isType) ?? readingProblem(path, specifier, names)
    return problem ? [`${path}: '${specifier}' ${problem}`] : []
  })
}

/**
 * @param {string} path
 * @param {string} specifier
 * @param {boolean} isType
 */
function problemOf(path, specifier, isType) {
  const name = path.split('/')[1] ?? ''
  const isTest = path.endsWith('.test.ts') || path.endsWith('.test.tsx')

  if (!specifier.startsWith('.')) {
    const imported = packageOf(specifier)
    if (imported && imported !== name && !mayImport[name]?.includes(imported)) {
      return `points the wrong way: ${name} may import ${mayImport[name]?.join(', ') || 'nothing'}`
    }
    if (path.startsWith(anywhere) && !isTest) return 'is an import: what runs anywhere has none'
    if (path.startsWith(gateway) && !isTest && !gatewayMayImport.includes(imported ?? ''))
      return `is outside the gateway, which imports ${gatewayMayImport.join(' and ')} only`
    if (isClientCode(path, isTest, isType) && !clientMayImport.includes(specifier))
      return `is outside the client, which imports ${clientMayImport.join(' and ')} only; import its types`
    if (name === 'core' && !isTest) return 'is outside core, which imports nothing'
    const nodeFolder = nodeFolders[/** @type {keyof typeof nodeFolders} */ (name)]
    if (nodeFolder && specifier.startsWith('node:') && !isTest && !path.startsWith(nodeFolder))
      return `needs Node, which only ${nodeFolder} may`
    return undefined
  }

  const target = posix.join(posix.dirname(path), specifier)
  if (['', '.js', '.jsx', '.mjs'].includes(posix.extname(specifier))) return 'must end in .ts'
  if (!target.startsWith(`packages/${name}/`)) {
    // Tests may use the test helpers of every package.
    if (isTest && /^(packages\/[^/]+\/test|tests\/helpers)\//.test(target)) return undefined
    return 'leaves the package: import it by the name of its package'
  }
  if (path.startsWith(anywhere) && !isTest) return 'is an import: what runs anywhere has none'
  if (path.startsWith(gateway) && !isTest && !startsWithAny(target, [gateway, anywhere]))
    return 'leaves the gateway, which runs anywhere'
  if (isClientCode(path, isTest, isType) && !startsWithAny(target, [client, anywhere]))
    return 'leaves the client, which runs anywhere: import its types'
  if (name !== 'core' || isTest) return undefined

  if (!target.startsWith(`${core}/`)) return 'is not in packages/core/src'
  if (path.startsWith(`${core}/protocols/`) && !startsWithAny(target, protocolsMayImport)) {
    return 'is not for protocols: they use draw.ts, protocol.ts and prompt/'
  }
  if (target.startsWith(`${core}/protocols/`) && !startsWithAny(path, mayImportProtocols)) {
    return 'is a protocol, which shared code must not name'
  }
  return undefined
}

/**
 * @param {string} path
 * @param {string} specifier
 * @param {string[]} names
 */
function readingProblem(path, specifier, names) {
  if (!/^(?:node:)?fs(?:\/promises)?$/.test(specifier)) return undefined
  if (/\.test\.tsx?$/.test(path) || startsWithAny(path, mayRead)) return undefined
  const found = names.find((name) => readers.includes(name) || name === '*')
  return (
    found && `reads files with ${found}: use readTextFile of @toolglot/permissions/node/internal`
  )
}

/**
 * @param {string} path
 * @param {boolean} isTest
 * @param {boolean} isType
 */
function isClientCode(path, isTest, isType) {
  return path.startsWith(client) && !isTest && !isType
}

/** @param {string} specifier */
function packageOf(specifier) {
  const [scope, name] = specifier.split('/')
  if (scope === 'toolglot') return 'cli'
  return scope === '@toolglot' ? name : undefined
}

/**
 * @param {string} text
 * @param {string[]} beginnings
 */
function startsWithAny(text, beginnings) {
  return beginnings.some((beginning) => text.startsWith(beginning))
}

/**
 * @param {string} path
 * @param {string} source
 * @returns {{ specifier: string, isType: boolean, names: string[] }[]}
 */
export function importsOf(path, source) {
  return nodesOf(path, source).flatMap((node) => {
    if (!isImport(node)) return []
    const { importKind, exportKind, type } = node
    // `import { type A }` is not a type-only import: it remains at runtime.
    const isType = importKind === 'type' || exportKind === 'type' || type === 'TSImportType'
    const specifier = specifierOf(/** @type {object} */ (node.source))
    return [{ specifier, isType, names: isType ? [] : namesOf(node) }]
  })
}

/**
 * The names that a node imports; `*` if it imports all of them.
 *
 * @param {Record<string, unknown>} node
 * @returns {string[]}
 */
function namesOf({ specifiers = [undefined] }) {
  const all = /** @type {({ imported?: { name?: string } } | undefined)[]} */ (specifiers)
  return all.map((each) => each?.imported?.name ?? '*')
}

/**
 * Every node of a file's syntax tree.
 *
 * @param {string} path
 * @param {string} source
 * @returns {Record<string, unknown>[]}
 */
export function nodesOf(path, source) {
  /** @type {Record<string, unknown>[]} */
  const found = []
  const lang = path.endsWith('x') ? 'tsx' : path.endsWith('.js') ? 'js' : 'ts'
  visit(parseAst(source, { lang }, path))
  return found

  /** @param {unknown} node */
  function visit(node) {
    if (typeof node !== 'object' || node === null) return
    found.push(/** @type {Record<string, unknown>} */ (node))
    Object.values(node).forEach(visit)
  }
}

/**
 * True for an import or a re-export.
 *
 * @param {Record<string, unknown>} node
 */
export function isImport({ type, source }) {
  return Boolean(source) && IMPORTS.has(String(type))
}

const IMPORTS = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ImportExpression',
  'TSImportType',
])

/**
 * The specifier of a computed import() is unknown, so it counts as a package named `(computed)`.
 *
 * @param {{ value?: unknown }} source
 */
function specifierOf(source) {
  return typeof source.value === 'string' ? source.value : '(computed)'
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const paths = readdirSync(`${root}/packages`).flatMap((name) =>
    readdirSync(`${root}/packages/${name}/src`, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => `packages/${name}/src/${path}`),
  )
  const found = paths.flatMap((path) => problems(path, readFileSync(`${root}/${path}`, 'utf8')))
  console.log(found.length > 0 ? found.join('\n') : `${paths.length} files obey the rules`)
  if (found.length > 0) process.exitCode = 1
}
