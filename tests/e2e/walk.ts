import type { Page } from 'playwright-core'

/** The content of a conversation from its first row to its last. */
export interface Walk {
  /** The text of each row, in order, without repetitions. */
  readonly texts: readonly string[]
  /** The maximum number of elements on the page. */
  readonly nodes: number
  /** Elements that can only come from interpreted text. */
  readonly strange: readonly string[]
  readonly steps: number
}

/** Scrolls through a conversation from the top, and collects all rows drawn along the way. */
export function walk(page: Page): Promise<Walk> {
  return page.evaluate(async () => {
    const list = document.querySelector('[role="log"]')!
    const rows = new Map<string, string>()
    const strange = new Set<string>()
    let nodes = 0
    let steps = 0
    let still = 0
    const drawn = (): Promise<unknown> =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    list.scrollTop = 0
    for (;;) {
      await drawn()
      steps++
      nodes = Math.max(nodes, document.querySelectorAll('*').length)
      for (const row of list.querySelectorAll<HTMLElement>('[data-row]'))
        rows.set(row.dataset['row']!, row.textContent)
      for (const element of window.strangeElements()) strange.add(element)
      const before = list.scrollTop
      list.scrollTop += list.clientHeight * 0.7
      // Rows may turn out to be larger than estimated.
      still = list.scrollTop === before ? still + 1 : 0
      if (still === 3) break
    }
    return { texts: [...rows.values()], nodes, strange: [...strange], steps }
  })
}

declare global {
  interface Window {
    /** The HTML of elements on the page that exist only if untrusted text was rendered as HTML. */
    strangeElements: () => string[]
    /** Set by payloads that run. */
    ran?: unknown
  }
}

/** Defines `strangeElements` in a page. */
export async function lookForStrangeElements(page: Page): Promise<void> {
  const define = (): void => {
    window.strangeElements = () => {
      const anywhere = 'iframe, object, embed, base, video, audio, math, foreignObject, animate'
      const found = [
        ...document.querySelectorAll(anywhere),
        // Only the conversation and dialogs show text from models and tools.
        ...document.querySelectorAll(
          // An editor has images without a source next to the replacements of characters.
          'main img:not(.cm-widgetBuffer:not([src])), main form[action], main style, main link, main meta',
        ),
        ...document.querySelectorAll('body script, svg script'),
        ...document.querySelectorAll('svg:not([class]):not([aria-hidden])'),
      ]
      for (const element of document.querySelectorAll('*'))
        for (const { name } of element.attributes)
          if (/^(?:on|srcdoc|formaction|xlink)/.test(name)) found.push(element)
      for (const link of document.querySelectorAll('a'))
        if (!/^https?:$/.test(link.protocol) && link.hasAttribute('href')) found.push(link)
      for (const link of document.querySelectorAll('a'))
        if (link.origin !== location.origin && link.rel !== 'noopener noreferrer') found.push(link)
      return [...new Set(found)].map((element) => element.outerHTML.slice(0, 300))
    }
  }
  await page.addInitScript(define)
  await page.evaluate(define)
}
