import * as nodeModule from 'node:module'
import { pathToFileURL } from 'node:url'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'

/** Loads a file and returns what it exports. Its code runs: the caller has made sure that it may. */
export async function importFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (/\.[cm]?ts$/.test(file) && !readsTypes()) {
    throw new UserError('data', {
      expected: 'Node 22.18 or newer, which reads TypeScript',
      got: `Node ${process.versions.node} for ${quote(file)}`,
      advice: 'use a newer Node, or write the file in JavaScript, as .mjs',
    })
  }
  sharePackages()
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, unknown>
  } catch (error) {
    // It does not exist, is not valid code, or throws.
    throw new UserError('data', {
      expected: `code in ${quote(file)} that can be loaded`,
      got: quote(error instanceof Error ? error.message : String(error)),
      advice: 'correct the file',
    })
  }
}

function readsTypes(): boolean {
  return Boolean((process.features as { typescript?: unknown }).typescript)
}

/**
 * A file anywhere imports this program's own packages, so that nothing must be installed beside it, and its holes and
 * errors are those that are known here.
 */
function sharePackages(): void {
  if (shared) return
  shared = true
  const parent = JSON.stringify(import.meta.url)
  const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: Resolve }) => void }
  if (registerHooks) {
    registerHooks({
      resolve: (name, context, next) =>
        next(name, isShared(name) ? { ...context, parentURL: import.meta.url } : context),
    })
  } else {
    // Node 20 asks another thread, which does not share our code.
    const code = `
      ${isShared.toString()}
      export const resolve = (name, context, next) =>
        next(name, isShared(name) ? { ...context, parentURL: ${parent} } : context)`
    nodeModule.register(`data:text/javascript,${encodeURIComponent(code)}`)
  }
}

let shared = false

type Resolve = (
  name: string,
  context: object,
  next: (name: string, context: object) => unknown,
) => unknown

function isShared(name: string): boolean {
  return /^@toolglot\/(core|agent|permissions|tools)(\/|$)/.test(name)
}
