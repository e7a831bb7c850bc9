import { asText, css } from '../look.ts'
import { isTimeout, missing, SelectorError } from '../page-error.ts'
import { limitsOf, type RawText } from '../site.ts'
import type { RawPage } from './index.ts'

/**
 * Clicks the copy button of the last reply and returns the copied text. The clipboard does not
 * change.
 */
export async function readCopy({
  page,
  site,
  raw: { button },
}: RawPage<Extract<RawText, { from: 'copy' }>>): Promise<string> {
  const timeout = Math.min(limitsOf(site).load, 10_000)
  // Some buttons appear only under the pointer. If hovering fails, the button may be visible
  // anyway.
  await page
    .locator(css(site.reply))
    .last()
    .hover({ timeout: 1000 })
    .catch(() => undefined)
  await page.evaluate(catchCopy, undefined)
  try {
    await page.locator(css(button)).last().click({ timeout })
  } catch (error) {
    if (isTimeout(error)) throw missing('raw.button', button, 'a visible button that copies')
    throw error
  }
  const text = asText(await page.evaluate(copied, Math.min(timeout, 5000)))
  if (text !== undefined) return text
  throw new SelectorError(
    'raw.button',
    `raw.button (${button}) copied nothing. Correct it in the site file, or use another source of raw text.`,
  )
}

/** State in the page shared by the two functions below. */
interface Caught {
  toolglotCopy?: { text: string | undefined; restore: () => void } | undefined
}

/** The parts of a page's clipboard used here. */
interface CopyPage extends Caught {
  readonly navigator: {
    readonly clipboard?: {
      writeText: (text: string) => Promise<void>
      write: (items: readonly ClipboardItem[]) => Promise<void>
    }
  }
  readonly document: {
    readonly activeElement: {
      readonly value?: string
      readonly selectionStart?: number
      readonly selectionEnd?: number
    } | null
    getSelection(): { toString(): string } | null
  }
  addEventListener(type: string, listener: (event: CopyEvent) => void): void
  removeEventListener(type: string, listener: (event: CopyEvent) => void): void
}

interface ClipboardItem {
  readonly types: readonly string[]
  getType(type: string): Promise<{ text(): Promise<string> }>
}

interface CopyEvent {
  readonly clipboardData: { getData(type: string): string } | null
  preventDefault(): void
}

/** Runs in the page: intercepts the next copied text, whichever API the page uses. */
function catchCopy(): void {
  const page = globalThis as unknown as CopyPage
  page.toolglotCopy?.restore()
  const { clipboard } = page.navigator
  const before = clipboard && { writeText: clipboard.writeText, write: clipboard.write }
  const caught = { text: undefined as string | undefined, restore }
  page.toolglotCopy = caught
  if (clipboard) {
    clipboard.writeText = async (text) => {
      caught.text = String(text)
    }
    clipboard.write = async (items) => {
      const item = [...items].find(({ types }) => types.includes('text/plain'))
      if (item) caught.text = await (await item.getType('text/plain')).text()
    }
  }
  page.addEventListener('copy', listen)

  function listen(event: CopyEvent): void {
    const { value, selectionStart, selectionEnd } = page.document.activeElement ?? {}
    caught.text =
      event.clipboardData?.getData('text/plain') ||
      value?.slice(selectionStart, selectionEnd) ||
      (page.document.getSelection()?.toString() ?? '')
    event.preventDefault()
  }

  function restore(): void {
    if (clipboard && before) Object.assign(clipboard, before)
    page.removeEventListener('copy', listen)
  }
}

/** Runs in the page: waits for the copied text and restores the functions of the clipboard. */
async function copied(timeout: number): Promise<string | undefined> {
  const page = globalThis as unknown as Caught
  const caught = page.toolglotCopy
  const end = Date.now() + timeout
  while (caught && caught.text === undefined && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 20))
  caught?.restore()
  page.toolglotCopy = undefined
  return caught?.text
}
