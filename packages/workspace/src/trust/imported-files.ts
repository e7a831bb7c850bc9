import { dirname, resolve } from 'node:path'
import { decodeUtf8, readRegularFile } from '@toolglot/agent/internal'

/**
 * The files that a file imports by relative paths, and those that they import. It reads import statements as they are
 * usually written: code that hides an import from it was trusted to do so.
 */
export function importedFiles(file: string): readonly string[] {
  const found = new Set([file])
  for (const each of found) {
    if (found.size > MAX_FILES) break
    for (const path of relativeImports(each)) found.add(resolve(dirname(each), path))
  }
  found.delete(file)
  return [...found].sort()
}

const MAX_FILES = 500

const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.\.?\/[^"'\n]+)["']/g

function relativeImports(file: string): string[] {
  const content = readRegularFile(file, 1 << 20)
  const text = 'bytes' in content ? decodeUtf8(content.bytes) : undefined
  return [...(text ?? '').matchAll(RELATIVE_IMPORT)].map(([, path = '']) => path)
}
