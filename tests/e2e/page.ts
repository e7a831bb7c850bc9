import type { Locator, Page } from 'playwright-core'
import { word } from './word.ts'

/** Sends a message with the keyboard. */
export async function send(page: Page, message: string): Promise<void> {
  const box = page.getByRole('textbox', { name: word('compose.message') })
  await box.fill(message)
  await box.press('Enter')
}

/** Waits until the visible run has ended, with or without an answer. */
export async function ended(page: Page): Promise<void> {
  await still(page)
  await page.getByPlaceholder(word('compose.placeholder.next')).waitFor()
}

/** Waits until the visible imported run has been read completely. */
export async function allRead(page: Page): Promise<void> {
  await still(page)
  await page.getByPlaceholder(word('compose.placeholder.readOnly')).waitFor()
}

/** Waits until part of a run has been read, and no more arrives. */
async function still(page: Page): Promise<void> {
  await conversation(page).locator('[data-row]').first().waitFor()
  await page.locator('[role="log"][aria-busy="false"]').waitFor()
}

/** Waits until all visible content is loaded. */
export async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy="true"]'))
}

/** The visible conversation. */
export function conversation(page: Page): Locator {
  return page.getByRole('log', { name: word('chat.conversation') })
}

/** The bubble of a call: a button that shows and hides its details. */
export function bubble(page: Page, name: RegExp): Locator {
  return conversation(page).getByRole('button', { name })
}

/** The cards of pending calls of a tool. */
export function card(page: Page, tool: string): Locator {
  return page.getByRole('group', { name: word('approvals.card.call', { tool }) })
}

/**
 * Clicks Allow until the click is accepted: a card ignores clicks right after it has moved. Only
 * the current card is answered, not the next one of the same tool.
 */
export async function allow(asking: Locator): Promise<void> {
  const button = asking.getByRole('button', { name: word('approvals.allow'), disabled: false })
  const shown = await button.elementHandle()
  const isGone = (): Promise<boolean> =>
    shown!.waitForElementState('hidden', { timeout: 2000 }).then(
      () => true,
      () => false,
    )
  do await shown!.click({ timeout: 2000 }).catch(() => {})
  while (!(await isGone()))
}
