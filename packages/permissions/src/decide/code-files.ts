import { isObeyed, obeyedNames } from '../path/protected.ts'
import { isWithin, pathOf, segmentsOf } from '../path/segments.ts'
import type { Decision, RunCode } from './decision.ts'
import type { FileSystemView, TemporaryMount } from './file-system.ts'

/** Files of code with their versions, in order. A new file changes the list. */
export type CodeVersions = readonly (readonly [path: string, version: string])[]

/** The current code that a call runs. */
export interface FoundCode {
  readonly versions: CodeVersions
  /** The files named in the call's text. */
  readonly named: readonly string[]
}

/** The limits of the search: paths, listed folders and their entries, and bytes read. */
const MAX_PATHS = 4000
const MAX_FOLDERS = 200
const MAX_ENTRIES = 5000
const MAX_BYTES = 32 << 20
const MAX_FILE_BYTES = 4 << 20

/**
 * Finds the files of code that a call runs, with their versions. If the call may run any code,
 * these include all files named in its text by any word and from any of its folders: as a script,
 * an option, the value of a variable, a module, or the output of another command. They also include
 * the files that programs load from their folders, such as a Makefile, and the hooks and settings
 * of git. The list may be too long but should never be too short: an unnecessary file only causes
 * another request if that file changes.
 */
export async function findCode(
  decision: Pick<Decision, 'code' | 'parts' | 'call'>,
  fileSystem: Place,
): Promise<FoundCode> {
  const { code } = decision
  if (!code || !fileSystem.version) return { versions: [], named: [] }
  const mounts = (await fileSystem.temporary?.().catch(() => [])) ?? []
  const search = new CodeSearch(fileSystem, mounts)
  // A command that is too long to analyze runs in the folder in which every command starts.
  const from = code.folders.length > 0 ? code.folders : [fileSystem.cwd]
  const folders = new Set(from.flatMap((folder) => around(folder, fileSystem.roots)))
  for (const folder of folders) await search.addHooks(folder)
  if (code.anything) {
    for (const folder of folders) await search.addSettings(folder)
    const words = wordsOf(decision)
    // A word may be a folder with more files: `make -C sub`, `env -C sub ./run.sh`.
    await search.addNamed(words, await search.addNamed(words, from))
  }
  return search.result()
}

/**
 * Lines for the approver about the code that a call may run. Empty if there is nothing to report.
 */
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

/** The context of a search for code. */
type Place = Pick<
  FileSystemView,
  'cwd' | 'roots' | 'identify' | 'version' | 'list' | 'repository' | 'obeyedByGit' | 'temporary'
>

/** Collects code files. */
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
    // A repository may be created later, and the repository of a linked working tree or a submodule
    // is elsewhere.
    const found = this.#place.repository?.(folder)?.gitFolders?.() ?? []
    const inGit = [`${folder}/.git`, ...found].flatMap((git) => GIT.map((name) => `${git}/${name}`))
    for (const path of [...inGit, ...obeyed]) await this.#addLoaded(path)
  }

  /** Adds the files that programs load from a folder. */
  async addSettings(folder: string): Promise<void> {
    for (const name of (await this.#list(folder)).names)
      if (isObeyed([name])) await this.#addLoaded(`${folder}/${name}`)
  }

  /**
   * Adds the files in these folders to which the words refer. Returns the folders to which they
   * refer.
   */
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

  /**
   * The paths to which a word may refer: as written, without `..` as shells resolve it, and in a
   * sandbox with its own folders.
   */
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
    // If a folder can't be listed or has too many entries, only known names are checked.
    const names = entries?.map(({ path }) => path) ?? obeyedNames
    const listed = { names, byStem: byStem(names) }
    this.#listed.set(folder, listed)
    return listed
  }
}

/** The names in a folder. Names with an extension are also indexed by the name without it. */
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

/** The files that start a folder when it is run or loaded. */
const MAIN = /^(?:__init__|__main__|index|main)\./

/** A folder and its parents up to the workspace, which programs also search. */
function around(folder: string, roots: readonly string[]): string[] {
  const found = [folder]
  const isInside = (path: string): boolean =>
    roots.some((root) => path !== root && isWithin(path, root))
  for (let at = folder; isInside(at);) found.push((at = parentOf(at)))
  return found
}

/** All words of a call that may refer to a code file. */
function wordsOf({ parts, call }: Pick<Decision, 'parts' | 'call'>): readonly string[] {
  const found = new Set<string>()
  const add = (text: string): void => {
    for (const word of [text, ...text.split(SEPARATORS)]) {
      // Adds the path in words such as `-fx.awk`, `a.b.c` (Python) and `@file`, and the path after
      // an unknown folder: `$PWD/x.sh`, `$(pwd)/x.sh`.
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

/** The separators of words, values and paths in a shell command and in code inside it. */
const SEPARATORS = /[\s'"`=:;,|&<>()[\]{}$\\]+/

/** A redirection to a file, whose previous content does not matter. */
const WRITTEN = /\d?>[>|]?\s*[^\s'"`;|&<>()$\\]+/g

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
