import { join } from 'node:path'
import type { Search } from '../host/search.ts'

/** A changed file: 1 created, 2 changed, 3 deleted. */
export interface FileChange {
  readonly path: string
  readonly type: 1 | 2 | 3
}

/** In larger projects only open files are checked. */
const MAX_FILES = 20_000
const SEARCH_TIMEOUT = 5000

/** Finds files that changed in a project, because servers do not watch them themselves. */
export class ChangedFiles {
  readonly #search: Search
  readonly #root: string
  readonly #endings: readonly string[]
  #times: ReadonlyMap<string, number> | undefined

  constructor(search: Search, root: string, endings: readonly string[]) {
    this.#search = search
    this.#root = root
    this.#endings = endings
  }

  /** The changes since the last call; none on the first one. */
  async changesSinceLastCall(
    signal: AbortSignal,
    open: readonly string[] = [],
  ): Promise<FileChange[]> {
    const before = this.#times
    const now = await this.#look(open, signal)
    this.#times = now
    if (!before) return []
    const changes: FileChange[] = []
    for (const [path, time] of now) {
      const old = before.get(path) ?? 0
      if (old !== time) changes.push({ path, type: old === 0 ? 1 : time === 0 ? 3 : 2 })
    }
    for (const [path, time] of before)
      if (time !== 0 && !now.has(path)) changes.push({ path, type: 3 })
    return changes
  }

  async #look(open: readonly string[], signal: AbortSignal): Promise<Map<string, number>> {
    const { names, timedOut } = await this.#search.names(this.#root, {
      endings: this.#endings,
      signal,
      timeout: SEARCH_TIMEOUT,
    })
    const known = timedOut || names.length > MAX_FILES ? [] : names
    const paths = [...new Set([...known.map((name) => join(this.#root, name)), ...open])]
    const times = await this.#search.times(paths)
    return new Map(paths.map((path, index) => [path, times[index]!]))
  }
}
