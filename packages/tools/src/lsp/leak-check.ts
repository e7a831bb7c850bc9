import type { Host } from '../host/host.ts'
import type { CodeLocation, CodePlace, CodeSpan, Language } from '../host/language.ts'
import { pathIn } from '../search/place.ts'
import { linesIn } from './visible-places.ts'

/** Options for a `LeakCheck`. */
export interface LeakCheckOptions {
  readonly language: Language
  readonly host: Pick<Host, 'fileSystem'> & Partial<Pick<Host, 'search'>>
  /** Counts the locations in hidden files. */
  readonly countHidden: (places: readonly CodeLocation[]) => Promise<number>
  readonly mayShow: ((path: string) => boolean) | undefined
  readonly signal: AbortSignal
}

/** The maximum number of names to look up per text. */
const MAX_NAMES = 32
/** The timeout, in milliseconds. */
const SEARCH_TIMEOUT = 5000

/**
 * Checks if a message about some lines could reveal hidden files: it may quote the definitions of
 * names on these lines. Looks up definitions only if there are any hidden files.
 */
export class LeakCheck {
  readonly #options: LeakCheckOptions
  readonly #known = new Map<string, Promise<number>>()
  #files: Promise<readonly string[] | undefined> | undefined

  constructor(options: LeakCheckOptions) {
    this.#options = options
  }

  /**
   * The number of hidden definitions that a text about certain lines may reveal. If the number is
   * not 0, the text must not be shown.
   */
  async countLeaks(text: string, place: CodePlace, spans: readonly CodeSpan[]): Promise<number> {
    this.#files ??= this.#hiddenFiles(place.path)
    const files = await this.#files
    if (files?.length === 0) return 0
    const named = files?.filter((path) => namesFile(text, path)).length ?? 0
    if (named > 0) return named
    let found = 0
    for (const position of positionsOn(place.text, spans)) {
      const key = `${place.path}\0${position.line}\0${position.character}`
      let hidden = this.#known.get(key)
      if (!hidden) this.#known.set(key, (hidden = this.#hiddenAt({ ...place, position })))
      found += await hidden
    }
    return found
  }

  async #hiddenAt(place: CodePlace): Promise<number> {
    const { language, countHidden, signal } = this.#options
    return countHidden((await language.ask('definition', place, { signal })).value)
  }

  /**
   * The hidden files that the language server for a file may have read; undefined if they cannot be
   * listed.
   */
  async #hiddenFiles(path: string): Promise<readonly string[] | undefined> {
    const { language, host, mayShow, signal } = this.#options
    if (!mayShow) return []
    if (!host.search) return undefined
    const endings = await language.globsFor(path)
    const hidden: string[] = []
    for (const root of host.fileSystem.roots) {
      const options = { endings, ignored: true, signal, timeout: SEARCH_TIMEOUT }
      const { names: found, timedOut } = await host.search.names(root, options)
      if (timedOut) return undefined
      hidden.push(...found.map((name) => pathIn(root, name)).filter((each) => !mayShow(each)))
    }
    return hidden
  }
}

/** True if a text mentions a file, possibly as a module such as `./keys`. */
function namesFile(text: string, path: string): boolean {
  const [folder = '', name = ''] = path.split('/').slice(-2)
  const stem = name.replace(/\.[^.]*$/, '')
  return text.includes(name) || text.includes(stem === 'index' ? `/${folder}` : `/${stem}`)
}

/** The positions of names on the lines of some spans. */
function positionsOn(
  text: string,
  spans: readonly CodeSpan[],
): { readonly line: number; readonly character: number }[] {
  const lines = linesIn(text)
  const numbers = new Set(
    spans.flatMap(({ start, end }) =>
      Array.from(
        { length: Math.min(end.line - start.line + 1, MAX_NAMES) },
        (_, at) => start.line + at,
      ),
    ),
  )
  return [...numbers]
    .flatMap((line) =>
      [...(lines[line] ?? '').matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)].map(({ index }) => ({
        line,
        character: index,
      })),
    )
    .slice(0, MAX_NAMES)
}
