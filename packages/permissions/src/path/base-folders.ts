import type { FileSystemView } from '../decide/file-system.ts'
import type { PathPattern } from './pattern.ts'
import type { PathRule } from './rules.ts'
import { relativeTo, segmentsOf } from './segments.ts'

/** The folders that patterns start at, each under every name it has. */
export class BaseFolders {
  readonly #fileSystem: FileSystemView
  readonly #shape: (name: string) => string
  readonly #folders = new Map<string, readonly string[][]>()
  readonly #known = new WeakMap<readonly string[], Map<string, readonly string[][]>>()

  #allRoots: readonly string[][] | undefined
  #allFolders: readonly string[][] | undefined

  /** `shape` returns a name in the form to compare: as written, or folded. */
  constructor(fileSystem: FileSystemView, shape: (name: string) => string) {
    this.#fileSystem = fileSystem
    this.#shape = shape
  }

  /** The parts of a path, in the form to compare. */
  shaped(path: string): string[] {
    return segmentsOf(path).map(this.#shape)
  }

  /** A path relative to the folders that a rule starts at. */
  below({ pattern, base, anywhere }: PathRule, path: readonly string[]): readonly string[][] {
    if (!pattern) return [[...path]]
    const before = this.#known.get(path)
    const known = before ?? new Map<string, readonly string[][]>()
    if (!before) this.#known.set(path, known)
    let found = known.get(base)
    if (!found) {
      found = anywhere ? this.anywhere(path) : relatives(this.startsOf(pattern), path)
      known.set(base, found)
    }
    return found
  }

  /** A path relative to the workspace, or the whole path if it is outside. */
  anywhere(path: readonly string[]): string[][] {
    const inside = relatives(this.#workspace(), path)
    return inside.length > 0 ? inside : [[...path]]
  }

  /** Whether a path is in the workspace, or is one of its folders. */
  contains(path: readonly string[]): boolean {
    return this.#roots().some((root) => relativeTo(root, path))
  }

  /** The folders of the workspace and the home folder, each under every name. */
  get folders(): string[][] {
    return [...this.#workspace(), ...this.#namesOf(this.#fileSystem.home)]
  }

  /** The folders that a pattern starts at. */
  startsOf(pattern: PathPattern): readonly string[][] {
    const { from, up, root } = pattern
    if (from === 'disk') return [[]]
    const folders =
      from === 'home'
        ? this.#namesOf(this.#fileSystem.home)
        : from === 'settings' && root !== undefined
          ? this.#namesOf(root)
          : this.#workspace()
    return up === 0 ? folders : folders.map((folder) => folder.slice(0, -up))
  }

  #workspace(): readonly string[][] {
    return (this.#allFolders ??= [...this.#namesOf(this.#fileSystem.cwd), ...this.#roots()])
  }

  #roots(): readonly string[][] {
    return (this.#allRoots ??= this.#fileSystem.roots.flatMap((root) => this.#namesOf(root)))
  }

  #namesOf(folder: string): readonly string[][] {
    const known = this.#folders.get(folder)
    if (known) return known
    const names = [folder, ...(this.#fileSystem.follow(folder) ?? [])]
    const found = [...new Set(names)].map((name) => this.shaped(name))
    this.#folders.set(folder, found)
    return found
  }
}

function relatives(folders: readonly (readonly string[])[], path: readonly string[]): string[][] {
  return folders.flatMap((folder) => {
    const rest = relativeTo(folder, path)
    return rest ? [rest] : []
  })
}
