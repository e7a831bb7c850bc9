import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isImport, nodesOf } from '../../../scripts/check-imports.mjs'

const packages = fileURLToPath(new URL('../../', import.meta.url))

/** The entry points of a package in this repository, each with its source file. */
export function entryPointsOf(name: string): Readonly<Record<string, string>> {
  const { exports } = JSON.parse(readFileSync(`${packages}${name}/package.json`, 'utf8')) as {
    exports: Readonly<Record<string, { readonly '@toolglot/source': string } | string>>
  }
  return Object.fromEntries(
    // Files such as schemas are listed only by path.
    Object.entries(exports).flatMap(([path, entry]) =>
      typeof entry === 'string' ? [] : [[path, posix.join(name, entry['@toolglot/source'])]],
    ),
  )
}

/**
 * The external modules imported by a source file, directly or through other files in this
 * repository. Type-only imports are erased and do not count. Workers count as imports.
 */
export function reachableModules(file: string): ReadonlySet<string> {
  const modules = new Set<string>()
  const visited = new Set<string>()
  visit(file)
  return modules

  function visit(path: string): void {
    if (visited.has(path)) return
    visited.add(path)
    for (const specifier of specifiersIn(path)) {
      const target = targetOf(specifier, path)
      if (target === undefined) modules.add(specifier)
      else visit(target)
    }
  }
}

/** The file in this repository that a specifier refers to. Undefined for other modules. */
function targetOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  const [scope, name = '', ...rest] = specifier.split('/')
  if (scope !== '@toolglot') return undefined
  const entryPoints = entryPointsOf(name)
  const path = ['.', ...rest].join('/')
  const wildcard = `${posix.dirname(path)}/*`
  const source = entryPoints[path] ?? entryPoints[wildcard]?.replace('*', rest.at(-1) ?? '')
  if (source === undefined) throw new Error(`${from}: ${specifier} is not an entry point.`)
  return source
}

const known = new Map<string, readonly string[]>()

function specifiersIn(path: string): readonly string[] {
  let specifiers = known.get(path)
  if (!specifiers) known.set(path, (specifiers = parseSpecifiers(path)))
  return specifiers
}

function parseSpecifiers(path: string): string[] {
  return nodesOf(path, readFileSync(packages + path, 'utf8')).flatMap((node) => {
    const isErased =
      node['type'] === 'TSImportType' || [node['importKind'], node['exportKind']].includes('type')
    if (isImport(node) && !isErased)
      return LATER.includes(path) ? [] : [stringOf(node['source'], path)]
    return isWorkerUrl(node) ? [stringOf((node['arguments'] as unknown[])[0], path)] : []
  })
}

/** Files with computed imports, of packages that are installed later and of the user's own code. */
const LATER: readonly string[] = ['agent/workers/llama.js', 'workspace/src/code/import-file.ts']

/** True if a node is `new URL('….js', …)`. */
function isWorkerUrl({
  type,
  callee,
  arguments: args,
}: Readonly<Record<string, unknown>>): boolean {
  if (type !== 'NewExpression' || (callee as { name?: unknown }).name !== 'URL') return false
  const { value } = ((args as unknown[])[0] ?? {}) as { value?: unknown }
  return typeof value === 'string' && value.startsWith('.') && value.endsWith('.js')
}

function stringOf(node: unknown, path: string): string {
  const { value } = node as { value?: unknown }
  if (typeof value !== 'string') throw new Error(`${path}: an import is computed.`)
  return value
}
