import { ToolError } from '@toolglot/agent'
import { loadFile } from '../file/load.ts'
import { textFileOf } from '../file/text-file.ts'
import type { Host } from '../host/host.ts'
import type { CodeLocation, CodeSpan } from '../host/language.ts'
import { isInside } from '../paths/inside.ts'
import { cutLine } from '../search/grep-result.ts'
import { type MayShow, shownPath } from '../search/place.ts'
import type { FoundPlace } from './result.ts'

/** The parts of a host that `VisiblePlaces` needs. */
type PlacesHost = Pick<Host, 'fileSystem' | 'files'>

/** The locations that a call may show: those in readable files of the workspace. */
export class VisiblePlaces {
  readonly #host: PlacesHost
  readonly #mayShow: MayShow
  readonly #signal: AbortSignal
  readonly #reals = new Map<string, Promise<string | undefined>>()
  readonly #lines = new Map<string, Promise<readonly string[]>>()
  readonly #given: string | undefined
  #roots: Promise<readonly string[]> | undefined

  /**
   * `given` is the file that the call is about, which is always visible; undefined if the call is
   * about a folder.
   */
  constructor(
    host: PlacesHost,
    given: { readonly path: string; readonly text: string } | undefined,
    options: { readonly mayShow?: MayShow | undefined; readonly signal: AbortSignal },
  ) {
    this.#host = host
    this.#mayShow = options.mayShow ?? (() => true)
    this.#signal = options.signal
    this.#given = given?.path
    if (!given) return
    this.#reals.set(given.path, Promise.resolve(given.path))
    this.#lines.set(given.path, Promise.resolve(linesIn(given.text)))
  }

  /** The items in visible files, and the number of omitted ones. */
  async filterVisible<Item extends Pick<CodeLocation, 'path'>>(
    items: readonly Item[],
  ): Promise<{ readonly visible: Item[]; readonly leftOut: number }> {
    const visible: Item[] = []
    for (const item of items) {
      this.#signal.throwIfAborted()
      if (await this.#mayBeTold(item.path)) visible.push(item)
    }
    return { visible, leftOut: items.length - visible.length }
  }

  /** The number of items in files that rules hide, inside or outside the workspace. */
  async countHidden(items: readonly CodeLocation[]): Promise<number> {
    let count = 0
    for (const { path } of items) {
      const real = (await this.#stat(path))?.path ?? path
      if (!this.#mayShow(path) || !this.#mayShow(real)) count++
    }
    return count
  }

  async #mayBeTold(path: string): Promise<boolean> {
    let real = this.#reals.get(path)
    if (!real) this.#reals.set(path, (real = this.#realOf(path)))
    return (await real) !== undefined
  }

  /** The real path of a visible file, or undefined. */
  async #realOf(path: string): Promise<string | undefined> {
    if (!this.#mayShow(path)) return undefined
    const facts = await this.#stat(path)
    if (facts?.kind !== 'file' || !this.#mayShow(facts.path)) return undefined
    this.#roots ??= this.#realRoots()
    const isOurs = (await this.#roots).some((root) => isInside(facts.path, root))
    return isOurs || facts.path === this.#given ? facts.path : undefined
  }

  async #realRoots(): Promise<string[]> {
    const found = await Promise.all(this.#host.fileSystem.roots.map((root) => this.#stat(root)))
    return found.flatMap((facts) => facts?.path ?? [])
  }

  async #stat(path: string): ReturnType<PlacesHost['files']['stat']> {
    try {
      return await this.#host.files.stat(path)
    } catch (error) {
      // The path is not visible: a link that points outside the workspace or forms a loop.
      if (error instanceof ToolError) return undefined
      throw error
    }
  }

  /** A visible location with its line, as shown to the model. */
  async at(path: string, { start }: CodeSpan): Promise<FoundPlace> {
    const line = (await this.#linesOf(path))[start.line] ?? ''
    return {
      path: shownPath(path, this.#host.fileSystem),
      line: start.line + 1,
      character: characterAt(line, start.character),
      text: cutLine(line.trim(), MAX_LINE_LENGTH),
    }
  }

  async #linesOf(path: string): Promise<readonly string[]> {
    let lines = this.#lines.get(path)
    if (!lines) this.#lines.set(path, (lines = this.#load(path)))
    return await lines
  }

  async #load(path: string): Promise<readonly string[]> {
    const real = await this.#reals.get(path)
    if (real === undefined) return []
    try {
      const reach = { paths: [real], signal: this.#signal }
      const loaded = await loadFile(this.#host.files, path, reach)
      return loaded ? linesIn(textFileOf(loaded).text) : []
    } catch (error) {
      // The file is too large, binary or replaced: the location is shown without its line.
      if (error instanceof ToolError) return []
      throw error
    }
  }
}

const MAX_LINE_LENGTH = 300

/** The lines of a text, split as language servers do. */
export function linesIn(text: string): string[] {
  return text.split(/\r\n|\n|\r/)
}

/**
 * The number of UTF-16 code units before a character (counted from 1); undefined if the line is too
 * short.
 */
export function unitsBefore(line: string, character: number): number | undefined {
  let units = 0
  for (let at = 1; at < character; at++) {
    if (units >= line.length) return undefined
    units += line.codePointAt(units)! > 0xffff ? 2 : 1
  }
  return units
}

/**
 * The character (counted from 1) after a number of UTF-16 code units. An emoji is one character,
 * but two units.
 */
export function characterAt(line: string, units: number): number {
  const end = Math.min(units, line.length)
  let character = 1
  for (let at = 0; at < end; character++) at += line.codePointAt(at)! > 0xffff ? 2 : 1
  return character
}
