import { asText } from './look.ts'
import type { BrowserPage } from './playwright.ts'

/** What a selector is for, in the words that pages use. */
const WANTED: Readonly<Record<string, Wanted>> = {
  input: { elements: 'textarea, [contenteditable="true"], [role="textbox"]', words: [] },
  send: { elements: 'button, [role="button"]', words: ['send', 'submit'] },
  stop: { elements: 'button, [role="button"]', words: ['stop', 'cancel'] },
  newChat: { elements: 'a, button, [role="button"]', words: ['new chat', 'new-chat', 'new'] },
  'raw.button': { elements: 'button, [role="button"]', words: ['copy'] },
  reply: {
    elements: '[class], [data-testid]',
    words: ['assistant', 'reply', 'markdown', 'message'],
  },
}

interface Wanted {
  readonly elements: string
  /** In a label or another attribute; any element is good without them. */
  readonly words: readonly string[]
}

/** Selectors that might work for a field of a site file, as the page looks now. */
export async function suggest(page: BrowserPage, field: string): Promise<readonly string[]> {
  const wanted = Object.hasOwn(WANTED, field) ? WANTED[field] : undefined
  if (!wanted || page.isClosed()) return []
  // A page that is gone has no suggestions.
  const found: unknown = await page.evaluate(findSelectors, wanted).catch(() => [])
  if (!Array.isArray(found)) return []
  return found.flatMap((each) => asText(each)?.slice(0, 200) ?? []).slice(0, 3)
}

/** An element, as far as it is read. */
interface PageElement {
  readonly localName: string
  getAttribute(name: string): string | null
  checkVisibility?: () => boolean
}

/** Runs in the page. */
function findSelectors({ elements, words }: Wanted): string[] {
  const page = globalThis as unknown as {
    readonly document: { querySelectorAll(selector: string): Iterable<PageElement> }
    readonly CSS: { escape(text: string): string }
  }
  const found = new Set<string>()
  for (const element of page.document.querySelectorAll(elements)) {
    if (found.size >= 3) break
    if (element.checkVisibility?.() === false) continue
    for (const name of ['data-testid', 'aria-label', 'id', 'name', 'class']) {
      const value = element.getAttribute(name)?.trim()
      if (!value || value.length > 80) continue
      if (words.length > 0 && !words.some((word) => value.toLowerCase().includes(word))) continue
      const first = value.split(/\s/)[0]!
      const suffix =
        name === 'class' ? `.${page.CSS.escape(first)}` : `[${name}=${JSON.stringify(value)}]`
      found.add(element.localName + suffix)
      break
    }
    if (words.length === 0 && found.size === 0) found.add(element.localName)
  }
  return [...found]
}
