/** Caches pages for a while, up to a total size. The oldest are dropped first. */
export class PageCache<Page extends { readonly text: string }> {
  readonly #pages = new Map<string, { readonly page: Page; readonly until: number }>()
  readonly #now: () => number
  #size = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get(key: string): Page | undefined {
    const found = this.#pages.get(key)
    if (found && found.until > this.#now()) return found.page
    this.#drop(key)
    return undefined
  }

  set(key: string, page: Page): void {
    this.#drop(key)
    if (page.text.length > MAX_CHARACTERS) return
    this.#pages.set(key, { page, until: this.#now() + LIFETIME })
    this.#size += page.text.length
    for (const oldest of this.#pages.keys()) {
      if (this.#size <= MAX_CHARACTERS && this.#pages.size <= MAX_PAGES) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#size -= this.#pages.get(key)?.page.text.length ?? 0
    this.#pages.delete(key)
  }
}

/** The lifetime of a page, in milliseconds. */
const LIFETIME = 15 * 60_000

const MAX_CHARACTERS = 4_000_000

const MAX_PAGES = 500
