import { createRequire } from 'node:module'
import { sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readTextFile } from '@toolglot/permissions/node/internal'
import { realPathOrSame } from '../inside.ts'

/**
 * The real paths of the files that a file imports by relative paths or through `imports` of package.json, and of those that
 * they import. It finds imports as they are usually written. What it misses is refused when the code is loaded as an ES
 * module: see `importFile`.
 */
export function importedFiles(file: string): readonly string[] {
  const first = realPathOrSame(file)
  const found = new Set([first])
  for (const each of found) {
    if (found.size > MAX_FILES) break
    for (const imported of importsOf(each)) found.add(imported)
  }
  found.delete(first)
  return [...found].sort()
}

const MAX_FILES = 500

/** The largest file with code that is read, in bytes. */
export const MAX_CODE_BYTES: number = 32 << 20

const IMPORT =
  /\b(?:from|import|require)\s*(?:\/\*[^*]*\*\/\s*)?\(?\s*(?:\/\*[^*]*\*\/\s*)?["'`]([.#][^"'`\n]*)["'`]/g

function importsOf(file: string): string[] {
  const content = readTextFile(file, MAX_CODE_BYTES)
  const text = 'text' in content ? content.text : ''
  return [...text.matchAll(IMPORT)].flatMap(([, name = '']) => resolutionsOf(name, file))
}

/** Where an import may lead: as an ES module, and as CommonJS. */
function resolutionsOf(name: string, file: string): string[] {
  const found: string[] = []
  if (name.startsWith('.')) found.push(realPathOrSame(pathOf(name, file)))
  try {
    found.push(realPathOrSame(createRequire(file).resolve(name)))
  } catch {
    // CommonJS finds nothing there.
  }
  return found.filter((path) => !path.includes(`${sep}node_modules${sep}`))
}

/** The path of a relative import, which is a URL: it may have escapes and a query. */
function pathOf(name: string, file: string): string {
  const url = new URL(name, pathToFileURL(file))
  url.search = ''
  url.hash = ''
  return fileURLToPath(url)
}
