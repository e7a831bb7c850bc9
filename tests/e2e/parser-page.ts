import type { Locator, Page } from 'playwright-core'
import { word } from './word.ts'

/** The editor with the text. */
export function reply(page: Page): Locator {
  return page.getByRole('textbox', { name: word('parser.reply') })
}

/** The list of parsed segments. */
export function understood(page: Page): Locator {
  return page.getByRole('region', { name: word('parser.understood') })
}

/** The counts, as chips. */
export function counts(page: Page): Locator {
  return page.locator('[data-counts]')
}

/** Pastes text into the editor, as a user does. */
export async function paste(page: Page, text: string): Promise<void> {
  await reply(page).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)
}

/** Removes the text. */
export async function clear(page: Page): Promise<void> {
  await page.getByRole('button', { name: word('parser.clear') }).click()
  await page.getByRole('group', { name: word('parser.samples') }).waitFor()
}

/** Selects the protocol for reading the text. */
export async function readAs(page: Page, protocol: string): Promise<void> {
  await page.locator('[data-protocol]').first().click()
  await page.getByRole('combobox', { name: word('parser.protocol.find') }).fill(protocol)
  await page.getByRole('option', { name: protocol }).first().click()
}

/**
 * Waits until all protocols were compared. Returns the total time and the time for reading, in
 * milliseconds.
 */
export async function compared(page: Page): Promise<{ time: number; readingTime: number }> {
  const shown = page.locator('[data-reading-time]')
  await shown.waitFor({ state: 'attached' })
  return shown.evaluate(({ dataset }) => ({
    time: Number(dataset['time']),
    readingTime: Number(dataset['readingTime']),
  }))
}
