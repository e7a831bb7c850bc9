import * as nodeModule from 'node:module'
import { pathToFileURL } from 'node:url'
import { CommandError } from '../command-error.ts'
import { quote } from '../show/visible.ts'

/** What a file exports. Its code runs: whoever calls this has made sure that it may. */
export async function importFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (/\.[cm]?ts$/.test(file) && !readsTypes()) {
    throw new CommandError('data', {
      expected: 'Node 22.18 or newer, which reads TypeScript',
      got: `Node ${process.versions.node} for ${quote(file)}`,
      advice: 'take a newer Node, or write the file as JavaScript, with the ending .mjs',
    })
  }
  shareCore()
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, unknown>
  } catch (error) {
    // It does not exist, is no code, or throws.
    throw new CommandError('data', {
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
 * A file that lies anywhere draws with this command's own core, so that nothing must be installed beside it and its holes
 * are those that read.
 */
function shareCore(): void {
  if (shared) return
  shared = true
  const parent = JSON.stringify(import.meta.url)
  const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: Resolve }) => void }
  if (registerHooks) {
    registerHooks({
      resolve: (name, context, next) =>
        next(name, isCore(name) ? { ...context, parentURL: import.meta.url } : context),
    })
  } else {
    // Node 20 asks another thread, which has no part in our code.
    const code = `
      ${isCore.toString()}
      export const resolve = (name, context, next) =>
        next(name, isCore(name) ? { ...context, parentURL: ${parent} } : context)`
    nodeModule.register(`data:text/javascript,${encodeURIComponent(code)}`)
  }
}

let shared = false

type Resolve = (
  name: string,
  context: object,
  next: (name: string, context: object) => unknown,
) => unknown

function isCore(name: string): boolean {
  return name === '@toolglot/core' || name.startsWith('@toolglot/core/')
}
