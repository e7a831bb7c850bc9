import type { FileSystemView } from '../decide/file-system.ts'
import type { PathPattern } from './pattern.ts'
import type { PathRule } from './rules.ts'
import { relativeTo, segmentsOf } from './segments.ts'

/** Where patterns begin: each folder under every name it has. */
export class BaseFolders {
  readonly #world: FileSystemView
  readonly #shape: (name: string) => string
  readonly #folders = new Map<string, readonly string[][]>()
  readonly #known = new WeakMap<readonly string[], Map<string, readonly string[][]>>()

  #allRoots: readonly string[][] | undefined
  #allFolders: readonly string[][] | undefined

  /** Names are compared in this shape: as they are, or folded. */
  constructor(fileSystem: FileSystemView, shape: (name: string) => string) {
    this.#world = fileSystem
    this.#shape = shape
  }

  /** The names a path is made of, in this shape. */
  shaped(path: string): string[] {
    return segmentsOf(path).map(this.#shape)
  }

  /** What of a path lies below where a rule begins. */
  below({ pattern, base, anywhere }: PathRule, path: readonly string[]): readonly string[][] {
    if (!pattern) return [[...path]]
    const before = this.#known.get(path)
    const known = before ?? new Map<string, readonly string[][]>()
    if (!before) this.#known.set(path, known)
    let found = known.get(base)
    if (!found) {
      found = anywhere ? this.anywhere(path) : relatives(this.beginnings(pattern), path)
      known.set(base, found)
    }
    return found
  }

  /** What of a path lies below the workspace; all of it where it lies outside. */
  anywhere(path: readonly string[]): string[][] {
    const inside = relatives(this.#workspace(), path)
    return inside.length > 0 ? inside : [[...path]]
  }

  /** Whether a path lies in the workspace, or is one of its folders. */
  contains(path: readonly string[]): boolean {
    return this.#roots().some((root) => relativeTo(root, path))
  }

  /** The folders that hold the work, each under every name. */
  get folders(): string[][] {
    return [...this.#workspace(), ...this.#namesOf(this.#world.home)]
  }

  /** The folders a pattern begins at. */
  beginnings(pattern: PathPattern): readonly string[][] {
    const { from, up, root } = pattern
    if (from === 'disk') return [[]]
    const folders =
      from === 'home'
        ? this.#namesOf(this.#world.home)
        : from === 'settings' && root !== undefined
          ? this.#namesOf(root)
          : this.#workspace()
    return up === 0 ? folders : folders.map((folder) => folder.slice(0, -up))
  }

  #workspace(): readonly string[][] {
    return (this.#allFolders ??= [...this.#namesOf(this.#world.cwd), ...this.#roots()])
  }

  #roots(): readonly string[][] {
    return (this.#allRoots ??= this.#world.roots.flatMap((root) => this.#namesOf(root)))
  }

  #namesOf(folder: string): readonly string[][] {
    const known = this.#folders.get(folder)
    if (known) return known
    const names = [folder, ...(this.#world.follow(folder) ?? [])]
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
