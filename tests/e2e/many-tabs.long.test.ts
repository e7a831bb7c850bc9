import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { allow, card, conversation, ended, loaded, send } from './page.ts'
import { word } from './word.ts'

/** Sends a request to the server as the page does. */
function ask(page: Page, path: string): Promise<number> {
  return page.evaluate(async (address) => (await fetch(address)).status, path)
}

/** The number of open streams in all tabs of a browser. */
function openStreams(page: Page): Promise<number> {
  return page.evaluate(async () => (await navigator.locks.query()).held?.length ?? 0)
}

/** Executes a command as another program would. The command waits for approval. */
function execute(page: Page, command: string): Promise<number> {
  return page.evaluate(async (line) => {
    const response = await fetch('/api/tools/execute', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-toolglot': '1' },
      body: JSON.stringify({ tool_name: 'bash', arguments: { command: line } }),
    })
    return response.status
  }, command)
}

test('eight tabs load, answer, and show pending requests', async () => {
  const { page: chat } = await openPage()
  await send(chat, 'Hello.')
  await ended(chat)
  const address = new URL(chat.url())
  const paths = ['/tools', '/runs', '/gateway', address.pathname]
  const open = async (path: string): Promise<Page> => {
    const tab = await chat.context().newPage()
    await tab.goto(address.origin + path)
    await loaded(tab)
    return tab
  }
  const tabs = [chat, ...(await Promise.all([...paths, ...paths.slice(1)].map(open)))]
  expect(await openStreams(chat)).toBeLessThanOrEqual(4)
  // The first tab still gets immediate answers.
  for (const tab of tabs) expect(await ask(tab, '/api/tools')).toBe(200)
  // The chat continues, including in the other tabs that show it.
  await send(chat, 'And again.')
  await ended(chat)
  for (const tab of tabs.filter((each) => each.url() === chat.url()))
    await conversation(tab).getByText('And again.').waitFor({ timeout: 20_000 })

  expect(await execute(tabs[2]!, 'echo approved > by-page.txt')).toBe(202)
  const reviews = tabs.map((tab) =>
    tab.getByRole('button', { name: word('shell.review'), exact: true }).first(),
  )
  await Promise.all(reviews.map((review) => review.waitFor({ timeout: 20_000 })))
  await reviews[7]!.click()
  await allow(card(tabs[7]!, 'bash'))
  await Promise.all(reviews.map((review) => review.waitFor({ state: 'detached', timeout: 20_000 })))

  // The remaining tabs have all the streams they need, permanently.
  const [kept, ...others] = tabs
  await Promise.all(others.map((tab) => tab.close()))
  await expect.poll(() => openStreams(kept!), { timeout: 10_000 }).toBe(2)
  expect(await execute(kept!, 'echo again > by-page.txt')).toBe(202)
  await kept!
    .getByRole('button', { name: word('shell.review'), exact: true })
    .first()
    .waitFor({ timeout: 5000 })
})
