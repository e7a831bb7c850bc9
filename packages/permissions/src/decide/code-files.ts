import { isObeyed, obeyedNames } from '../path/protected.ts'
import { isWithin, pathOf, segmentsOf } from '../path/segments.ts'
import type { Decision, RunCode } from './decision.ts'
import type { FileSystemView, TemporaryMount } from './file-system.ts'

/** Files of code with their versions, in order. A file that appears later changes the list, too. */
export type CodeVersions = readonly (readonly [path: string, version: string])[]

/** The code that a call runs, as it is now. */
export interface FoundCode {
  readonly versions: CodeVersions
  /** Those that its text names. */
  readonly named: readonly string[]
}

/** Limits of the search: paths, folders that are listed and their entries, and bytes that are read. */
const MAX_PATHS = 4000
const MAX_FOLDERS = 200
const MAX_ENTRIES = 5000
const MAX_BYTES = 32 << 20
const MAX_FILE_BYTES = 4 << 20

/**
 * Finds the files of code that a call runs, with their versions. If it may run any code, these are all files that its text names, by
 * whatever word and from whichever of its folders: as a script, an option, a value of a variable, a module, or what another command
 * prints. Also the files that programs load from their folders, such as a Makefile, and the hooks and settings of git. Rather
 * too many than too few: an approval that holds for one more file is only asked about again if that file changes.
 */
export async function findCode(
  decision: Pick<Decision, 'code' | 'parts' | 'call'>,
  fileSystem: Place,
): Promise<FoundCode> {
  const { code } = decision
  if (!code || !fileSystem.version) return { versions: [], named: [] }
  const mounts = (await fileSystem.temporary?.().catch(() => [])) ?? []
  const search = new CodeSearch(fileSystem, mounts)
  // A text that is too long to be understood runs where every text does.
  const from = code.folders.length > 0 ? code.folders : [fileSystem.cwd]
  const folders = new Set(from.flatMap((folder) => around(folder, fileSystem.roots)))
  for (const folder of folders) await search.addHooks(folder)
  if (code.anything) {
    for (const folder of folders) await search.addSettings(folder)
    const words = wordsOf(decision)
    // A word may name the folder that others are in: `make -C sub`, `env -C sub ./run.sh`.
    await search.addNamed(words, await search.addNamed(words, from))
  }
  return search.result()
}

/** The code that a call may run, for the person who is asked: no line if there is nothing to say. */
export function describeCode(code: RunCode | undefined): readonly string[] {
  if (!code) return []
  const { anything, files = [] } = code
  const names = files.map((path) => shortName(path, code))
  return [
    ...(anything ? ['May run any code in this folder'] : []),
    ...(files.length > 0 ? [`Uses these files as they are now: ${names.join(', ')}`] : []),
  ]
}

/** A path relative to the folder that a call runs in. */
const shortName = (path: string, { folders: [folder] }: RunCode): string =>
  folder !== undefined && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path

/** The setting of a search for code. */
type Place = Pick<
  FileSystemView,
  'cwd' | 'roots' | 'identify' | 'version' | 'list' | 'repository' | 'obeyedByGit' | 'temporary'
>

/** Collects files. */
class CodeSearch {
  readonly #place: Place
  readonly #mounts: readonly TemporaryMount[]
  readonly #named = new Set<string>()
  readonly #loaded = new Set<string>()
  readonly #listed = new Map<string, Listed>()
  #entriesLeft = MAX_ENTRIES
  #pathsLeft = MAX_PATHS

  constructor(place: Place, mounts: readonly TemporaryMount[]) {
    this.#place = place
    this.#mounts = mounts
  }

  /** Adds the hooks and settings of git in a folder. */
  async addHooks(folder: string): Promise<void> {
    const obeyed = this.#place.obeyedByGit?.(folder) ?? []
    // A repository may appear later, and that of a linked working tree or a submodule is elsewhere.
    const found = this.#place.repository?.(folder)?.gitFolders?.() ?? []
    const inGit = [`${folder}/.git`, ...found].flatMap((git) => GIT.map((name) => `${git}/${name}`))
    for (const path of [...inGit, ...obeyed]) await this.#addLoaded(path)
  }

  /** Adds the files that programs load from a folder. */
  async addSettings(folder: string): Promise<void> {
    for (const name of (await this.#list(folder)).names)
      if (isObeyed([name])) await this.#addLoaded(`${folder}/${name}`)
  }

  /** Adds the files that words name in folders. Returns the folders that they name. */
  async addNamed(words: readonly string[], folders: readonly string[]): Promise<readonly string[]> {
    const inner = new Set<string>()
    for (const folder of folders)
      for (const word of words)
        for (const path of this.#pathsOf(word, folder)) {
          if (this.#pathsLeft-- <= 0) return [...inner]
          const found = this.#place.identify?.(path)
          if (found?.isFolder) {
            inner.add(path)
            await this.addSettings(path)
            for (const name of (await this.#list(path)).names)
              if (MAIN.test(name)) this.#named.add(`${path}/${name}`)
          } else if (found) this.#named.add(path)
          // `python3 -m x` runs x.py.
          const [parent, name] = [parentOf(path), path.slice(path.lastIndexOf('/') + 1)]
          for (const each of (await this.#list(parent)).byStem.get(name) ?? [])
            this.#named.add(`${parent}/${each}`)
        }
    return [...inner].filter((each) => !folders.includes(each))
  }

  /** Adds a file, or the files in a folder. */
  async #addLoaded(path: string): Promise<void> {
    if (!this.#place.identify?.(path)?.isFolder) this.#loaded.add(path)
    else for (const name of (await this.#list(path)).names) this.#loaded.add(`${path}/${name}`)
  }

  result(): FoundCode {
    let left = MAX_BYTES
    const versions = [...new Set([...this.#named, ...this.#loaded])].sort().flatMap((path) => {
      const found = this.#place.version?.(path, Math.min(left, MAX_FILE_BYTES))
      left -= found?.bytes ?? 0
      return found ? [[path, found.version] as const] : []
    })
    const named = versions.flatMap(([path]) => (this.#named.has(path) ? [path] : []))
    return { versions, named }
  }

  /** Where a word may lead: as written, without `..` as a shell understands it, and in a sandbox with folders of its own. */
  #pathsOf(word: string, folder: string): Set<string> {
    const written = word.startsWith('/') ? word : `${folder}/${word}`
    const normal = pathOf(segmentsOf(written))
    const mounted = this.#mounts.flatMap(({ path, real }) =>
      isWithin(normal, path) ? [`${real}${normal.slice(path.length)}`] : [],
    )
    return new Set([normal, ...mounted, ...(word.includes('..') ? [written] : [])])
  }

  async #list(folder: string): Promise<Listed> {
    const known = this.#listed.get(folder)
    if (known) return known
    if (this.#listed.size >= MAX_FOLDERS) return NOTHING
    const options = { deep: false, most: this.#entriesLeft }
    const entries = await this.#place.list?.(folder, options).catch(() => undefined)
    this.#entriesLeft -= entries?.length ?? 0
    // A folder that can't be listed, or has too many entries, is looked at for known names.
    const names = entries?.map(({ path }) => path) ?? obeyedNames
    const listed = { names, byStem: byStem(names) }
    this.#listed.set(folder, listed)
    return listed
  }
}

/** The names in a folder, and those with an extension by the name without it. */
interface Listed {
  readonly names: readonly string[]
  readonly byStem: ReadonlyMap<string, readonly string[]>
}

function byStem(names: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const name of names)
    for (let dot = name.indexOf('.', 1); dot > 0; dot = name.indexOf('.', dot + 1))
      found.set(name.slice(0, dot), [...(found.get(name.slice(0, dot)) ?? []), name])
  return found
}

const NOTHING: Listed = { names: [], byStem: new Map() }

/** Files and folders in a git folder that make git run programs. */
const GIT = ['config', 'config.worktree', 'hooks']

/** The files with which a folder starts when it is run or loaded. */
const MAIN = /^(?:__init__|__main__|index|main)\./

/** A folder, and those around it up to the workspace's: programs look there, too. */
function around(folder: string, roots: readonly string[]): string[] {
  const found = [folder]
  const isInside = (path: string): boolean =>
    roots.some((root) => path !== root && isWithin(path, root))
  for (let at = folder; isInside(at);) found.push((at = parentOf(at)))
  return found
}

/** Everything in a call that may name a file of code. */
function wordsOf({ parts, call }: Pick<Decision, 'parts' | 'call'>): readonly string[] {
  const found = new Set<string>()
  const add = (text: string): void => {
    for (const word of [text, ...text.split(SEPARATORS)]) {
      // `-fx.awk`, `a.b.c` of Python, `@file`, and what follows a folder that is unknown: `$PWD/x.sh`, `$(pwd)/x.sh`.
      const spellings = [/^-\w|^@/, /^[^/]*\/+/].map((start) => word.replace(start, ''))
      for (const each of [word, ...spellings, word.replaceAll('.', '/')])
        if (each !== '' && each.length < 1000 && !/^[./]*$/.test(each)) found.add(each)
    }
  }
  for (const { subject, real } of parts) {
    if (subject && 'words' in subject) for (const word of subject.words) if (word) add(word)
    if (subject && 'kind' in subject && subject.kind === 'read' && real !== undefined)
      found.add(real)
  }
  for (const value of Object.values(call?.args ?? {}))
    if (typeof value === 'string') add(value.replace(WRITTEN, ' '))
  return [...found]
}

/** The separators of words, values and paths in a shell text, and in code inside it. */
const SEPARATORS = /[\s'"`=:;,|&<>()[\]{}$\\]+/

/** The file that a redirection writes. Its content does not matter. */
const WRITTEN = /\d?>[>|]?\s*[^\s'"`;|&<>()$\\]+/g

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
