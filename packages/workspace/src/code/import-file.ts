// Folder: The user's own tools and protocols, loaded as code.
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { pathToFileURL } from 'node:url'
import { readRegularFile } from '@toolglot/permissions/node/internal'
import { MAX_CODE_BYTES } from '../trust/digest.ts'
import { UserError } from '../user-error.ts'
import { quote, visibleLine } from '../visible.ts'

/**
 * Loads a file and returns its exports. This runs its code, so the caller must have checked that it
 * is allowed. With `only`, these files can import nothing but each other, packages and Node's
 * modules.
 */
export async function importFile(
  file: string,
  only?: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  if (/\.[cm]?ts$/.test(file) && !readsTypes()) {
    throw new UserError(
      'data',
      `Node ${process.versions.node} cannot load ${quote(file)}, because it is TypeScript. Use Node 22.18 or newer, or write the file in JavaScript, as .mjs`,
    )
  }
  // Importing a pipe would never finish.
  const content = readRegularFile(file, MAX_CODE_BYTES)
  if (!('bytes' in content)) {
    const reason = 'missing' in content ? 'no such file' : content.reason
    throw new UserError('data', `Cannot load ${quote(file)}: ${reason}`)
  }
  sharePackages()
  if (only) restrictImports(only)
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, unknown>
  } catch (error) {
    // The file does not exist, is not valid code, or throws.
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError('data', `Cannot load ${quote(file)}: ${visibleLine(reason)}`)
  }
}

function readsTypes(): boolean {
  return Boolean((process.features as { typescript?: unknown }).typescript)
}

/**
 * Resolves imports of this program's own packages to its own copies, for files in any location.
 * Nothing must be installed next to such a file, and its classes are the same as the program's.
 */
function sharePackages(): void {
  if (isSharing) return
  isSharing = true
  const parentURL = import.meta.url
  const bundled = bundledPackages()
  addResolver(
    (name, context, next) => next(...sharedImport(name, context, parentURL, bundled)),
    `${sharedImport.toString()}
    export const resolve = (name, context, next) =>
      next(...sharedImport(name, context, ${JSON.stringify(parentURL)}, ${JSON.stringify(bundled)}))`,
  )
}

/**
 * The locations of the packages by name, if this program is bundled. Other copies would be loaded a
 * second time.
 */
function bundledPackages(): BundledPackages | undefined {
  const bundle = (globalThis as { readonly [BUNDLE]?: string })[BUNDLE]
  if (bundle === undefined) return undefined
  const names = JSON.parse(readFileSync(new URL('shared.json', bundle), 'utf8')) as string[]
  const fileOf = (name: string): string => `shared/${name.replace('@toolglot/', '')}.js`
  const files = names.map((name) => [name, new URL(fileOf(name), bundle).href])
  return { bundle, files: Object.fromEntries(files) as Record<string, string> }
}

interface BundledPackages {
  readonly bundle: string
  readonly files: Readonly<Record<string, string>>
}

const BUNDLE = Symbol.for('toolglot.bundle')

/** The module to import for a name. */
function sharedImport(
  name: string,
  context: { readonly parentURL?: string },
  parentURL: string,
  bundled?: BundledPackages,
): [name: string, context: object] {
  // The bundle itself must find files in the packages.
  const isOurs = bundled && context.parentURL?.startsWith(bundled.bundle)
  if (!isShared(name) || isOurs) return [name, context]
  return [bundled?.files[name] ?? name, { ...context, parentURL }]
}

let isSharing = false

/** Restricts the imports of these files to each other, packages and Node's modules. */
function restrictImports(files: readonly string[]): void {
  const allowed = files.map((file) => pathToFileURL(file).href)
  const key = allowed.join('\n')
  if (restricted.has(key)) return
  restricted.add(key)
  addResolver(
    (name, context, next) => checkImport(name, context.parentURL, next(name, context), allowed),
    `const allowed = ${JSON.stringify(allowed)}
    export const resolve = async (name, context, next) =>
      checkImport(name, context.parentURL, await next(name, context), allowed)`,
  )
}

const restricted = new Set<string>()

/**
 * Adds a hook that resolves imports. `code` contains the same hook for Node 20, which runs it in
 * another thread.
 */
function addResolver(resolve: Resolve, code: string): void {
  const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: Resolve }) => void }
  if (registerHooks) registerHooks({ resolve })
  else
    nodeModule.register(
      `data:text/javascript,${encodeURIComponent(`${isShared.toString()}\n${checkImport.toString()}\n${code}`)}`,
    )
}

interface Resolution {
  readonly url: string
}

type Resolve = (
  name: string,
  context: { readonly parentURL?: string },
  next: (name: string, context: object) => Resolution,
) => Resolution

function isShared(name: string): boolean {
  return /^@toolglot\/(core|agent|permissions|tools)(\/|$)/.test(name)
}

/**
 * Returns a resolution. Throws if one of the restricted files imports anything that is not allowed.
 */
function checkImport(
  name: string,
  parent: string | undefined,
  found: Resolution,
  allowed: readonly string[],
): Resolution {
  const fileOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? ''
  if (parent === undefined || !allowed.includes(fileOf(parent)) || isShared(name)) return found
  const { url } = found
  if (url.startsWith('node:') || url.includes('/node_modules/') || allowed.includes(fileOf(url)))
    return found
  throw new Error(`it imports ${name}, which was not trusted with it`)
}
