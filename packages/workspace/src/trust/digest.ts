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
 * Hashes the information that the user sees before trusting a folder: the permissions granted by
 * its settings, with exceptions, and the code that they load or start programs with, because that
 * code would run. Each code file is read only once, so that digests of different settings cover the
 * same code.
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

/**
 * The hashes of a code file and the files it imports: a change to any of them changes the digest.
 */
function hashesOf(file: string): unknown[] {
  return [hashOf(file), ...importedFiles(file).map((each) => [each, hashOf(each)])]
}

/**
 * The hash of a file, or null if it does not exist. An unreadable file gets a new hash each time,
 * so it is never trusted.
 */
function hashOf(file: string): string | null {
  const content = readRegularFile(file, MAX_CODE_BYTES)
  if ('missing' in content) return null
  return 'bytes' in content
    ? createHash('sha256').update(content.bytes).digest('hex')
    : `unreadable ${randomUUID()}`
}

/**
 * The real paths of the files imported by a file, directly or indirectly, through relative paths or
 * through `imports` of package.json. Recognizes common forms of imports. If one is missed, loading
 * the code as an ES module fails: see `importFile`.
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

/** The maximum size of code files to read, in bytes. */
export const MAX_CODE_BYTES: number = 32 << 20

const IMPORT =
  /\b(?:from|import|require)\s*(?:\/\*[^*]*\*\/\s*)?\(?\s*(?:\/\*[^*]*\*\/\s*)?["'`]([.#][^"'`\n]*)["'`]/g

function importsOf(file: string): string[] {
  const content = readTextFile(file, MAX_CODE_BYTES)
  const text = 'text' in content ? content.text : ''
  return [...text.matchAll(IMPORT)].flatMap(([, name = '']) => resolutionsOf(name, file))
}

/** The possible targets of an import: as an ES module and as CommonJS. */
function resolutionsOf(name: string, file: string): string[] {
  const found: string[] = []
  if (name.startsWith('.')) found.push(realPathOrSame(pathOf(name, file)))
  try {
    found.push(realPathOrSame(createRequire(file).resolve(name)))
  } catch {
    // CommonJS finds no file there.
  }
  return found.filter((path) => !path.includes(`${sep}node_modules${sep}`))
}

/** The path of a relative import, which is a URL that may contain escapes and a query. */
function pathOf(name: string, file: string): string {
  const url = new URL(name, pathToFileURL(file))
  url.search = ''
  url.hash = ''
  return fileURLToPath(url)
}
