import { ModelError } from '../../model/model-error.ts'
import { asText, css } from './look.ts'
import { isTimeout, missing } from './page-error.ts'
import type { BrowserPage, PageLocator } from './playwright.ts'
import { limitsOf, nameOf, type Site } from './site.ts'

/**
 * Inserts text into a page's input in one step and checks that it is complete. Does not send it.
 */
export async function insertText(page: BrowserPage, site: Site, text: string): Promise<void> {
  const { characters, load: timeout } = limitsOf(site)
  if (text.length > characters)
    throw new ModelError(
      'context_overflow',
      `${nameOf(site)} accepts at most ${characters} characters per message, but this one has ${text.length}. Start a new conversation, or raise limits.characters in the site file if the page accepts more.`,
    )
  const input = page.locator(css(site.input)).first()
  try {
    await input.fill('', { timeout })
    await input.focus({ timeout })
  } catch (error) {
    if (isTimeout(error) || /not an <input>|Element is not/.test((error as Error).message))
      throw missing('input', site.input, 'a textarea or a contenteditable element')
    throw error
  }
  await page.keyboard.insertText(text)
  if (await hasArrived()) return
  // Some editors only accept pasted text.
  await input.fill('', { timeout })
  await input.evaluate(paste, text, { timeout })
  if (await hasArrived()) return
  const { length } = await inserted(input, timeout)
  throw new ModelError(
    'refused',
    `${nameOf(site)} changed the inserted text: it has ${length} characters instead of ${text.length}. Check that input in the site file is the element for text.`,
  )

  async function hasArrived(): Promise<boolean> {
    const arrived = await inserted(input, timeout)
    if (isSameText(arrived, text)) return true
    if (arrived.trim() === '' || !comparable(text).startsWith(comparable(arrived))) return false
    throw new ModelError(
      'context_overflow',
      `${nameOf(site)} accepted only ${arrived.length} of ${text.length} characters. Set limits.characters in the site file to ${arrived.length} and start a new conversation.`,
    )
  }
}

async function inserted(input: PageLocator, timeout: number): Promise<string> {
  return asText(await input.evaluate(readInput, undefined, { timeout })) ?? ''
}

/**
 * True if the page kept the text unchanged. Editors add empty lines between paragraphs, and may
 * show several spaces as one.
 */
export function isSameText(one: string, other: string): boolean {
  return comparable(one) === comparable(other)
}

function comparable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.replaceAll(/[\u00a0\t ]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** The properties of a text element used here. */
interface InputElement {
  readonly value?: string
  readonly innerText: string
  dispatchEvent(event: object): boolean
}

/** Runs in the page. */
function readInput(element: InputElement): string {
  return element.value ?? element.innerText
}

/** Runs in the page. */
function paste(element: InputElement, text: string): void {
  const page = globalThis as unknown as {
    readonly DataTransfer: new () => { setData(type: string, data: string): void }
    readonly ClipboardEvent: new (type: string, options: object) => object
  }
  const clipboardData = new page.DataTransfer()
  clipboardData.setData('text/plain', text)
  const options = { clipboardData, bubbles: true, cancelable: true }
  element.dispatchEvent(new page.ClipboardEvent('paste', options))
}
