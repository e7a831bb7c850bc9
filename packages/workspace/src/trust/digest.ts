// Folder: Trust in folders.
import { createHash, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readRegularFile, readTextFile } from '@toolglot/permissions/node/internal'
import { resolvePath, realPathOrSame } from '../inside.ts'
import { codeFilesOf, startedFiles } from '../settings/code-files.ts'
import type { SettingValue } from '../settings/keys/key.ts'
import type { PathText, SettingsFile } from '../settings/settings-file.ts'
import { comesWithFolder } from '../settings/merge-settings.ts'

/**
 * Hashes what a person sees before they trust a folder: what its settings allow, with the exceptions, and the code that they
 * name, or start programs with, since that is what would run. Code is read once, so that digests of different settings are about the same code.
 */
export function createDigest(home: string): (files: readonly SettingsFile[]) => string {
  const known = new Map<string, unknown[]>()
  const hashesOfCode = (file: string): unknown[] => {
    let hashes = known.get(file)
    if (!hashes) known.set(file, (hashes = hashesOf(file)))
    return hashes
  }
  const codeOf = ({ path, source }: PathText): unknown[] => [
    path,
    ...hashesOfCode(resolvePath(path, source.root ?? '/', home)),
  ]
  const valueOf = (given: SettingValue): unknown[] => [
    given.key,
    codeFilesOf(given)?.map(codeOf) ?? given.value,
    ...startedFiles(given, { home }).flatMap(({ path, isFolder }) =>
      isFolder ? [] : [[path, ...hashesOfCode(path)]],
    ),
  ]
  return (files) => {
    const shown = files
      .filter(comesWithFolder)
      .map(({ file, rules, roots, protocols, values, mode }) => [
        file,
        rules.map(({ verdict, text }) => [verdict, text]),
        roots.map(({ path }) => path),
        protocols.map(codeOf),
        mode ?? null,
        ...values.map(valueOf),
      ])
    return createHash('sha256').update(JSON.stringify(shown)).digest('hex')
  }
}

/** The hashes of a file with code, and of the files it imports: a change of any of them changes the digest. */
function hashesOf(file: string): unknown[] {
  return [hashOf(file), ...importedFiles(file).map((each) => [each, hashOf(each)])]
}

/** The hash of a file; null if it does not exist. What cannot be read is never the same twice, so it is never trusted. */
function hashOf(file: string): string | null {
  const content = readRegularFile(file, MAX_CODE_BYTES)
  if ('missing' in content) return null
  return 'bytes' in content
    ? createHash('sha256').update(content.bytes).digest('hex')
    : `unreadable ${randomUUID()}`
}

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
