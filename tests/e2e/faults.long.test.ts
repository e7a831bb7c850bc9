import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { allow, bubble, card, conversation, ended, send } from './page.ts'
import { call } from './scripted-model.ts'
import { word } from './word.ts'

/** Long enough for slow and busy machines. */
const WAIT = { timeout: 60_000 }

const lines = Array.from({ length: 20 }, (_, at) => `Line ${at}.\n\n`)

test('the page continues after the server is killed during a reply and restarts, and shows everything once', async () => {
  let asked = 0
  const { page, server, expectProblem } = await openPage({
    async *script() {
      const isFirst = asked++ === 0
      for (const [at, line] of lines.entries()) {
        yield line
        // The first reply never ends.
        if (isFirst && at === 9) await new Promise(() => {})
      }
    },
  })
  expectProblem(/Failed to load resource|ERR_/)
  await send(page, 'Write twenty lines.')
  await conversation(page).getByText('Line 9.').waitFor()
  await server.stop('SIGKILL')
  // Received text stays visible, and the page reports the problem.
  await page.getByText(word('shell.lost')).first().waitFor()
  await conversation(page).getByText('Line 9.').waitFor()
  await server.restart('SIGKILL')
  await ended(page)
  const text = await conversation(page).innerText()
  expect(text.match(/Line \d+\./g)).toEqual(lines.map((line) => line.trim()))
  expect(await page.getByText(word('shell.lost')).count()).toBe(0)
  expect(asked).toBe(2)
})

test('after a change of the token, the page reports the logout, and shows the same after a login', async () => {
  const { page, server, expectProblem } = await openPage({ script: () => 'The answer is 42.' })
  expectProblem(/Failed to load resource|ERR_/)
  await send(page, 'What is the answer?')
  await ended(page)
  const address = page.url()
  await server.restart('SIGTERM', {
    TOOLGLOT_TOKEN: 'another-token-that-is-as-long-as-the-first-one',
  })
  await page.getByRole('heading', { name: word('shell.loggedOut') }).waitFor()
  // In another tab, like one opened by a link from the terminal.
  const other = await page.context().newPage()
  await other.goto(server.link())
  await other.getByRole('textbox', { name: word('compose.message') }).waitFor()
  const again = page.getByRole('button', { name: word('shell.retry') })
  await again.or(conversation(page)).first().waitFor()
  if (await again.isVisible()) await again.click()
  await conversation(page).getByText('The answer is 42.').waitFor()
  expect(page.url()).toBe(address)
})

test('two tabs show the same run: messages and answers in one are visible in both', async () => {
  const { page, open } = await openPage({
    script: (_, turn) =>
      turn === 0 ? call('Write', { file_path: 'a.txt', content: 'a' }) : `Reply ${turn}.`,
  })
  await send(page, 'Write it.')
  await card(page, 'Write').waitFor()
  const other = await open()
  await other.goto(page.url())
  await allow(card(other, 'Write'))
  for (const tab of [page, other]) {
    await conversation(tab).getByText('Reply 1.').waitFor()
    await ended(tab)
    expect(await card(tab, 'Write').count()).toBe(0)
  }
  await send(other, 'Once more.')
  for (const tab of [page, other]) {
    await conversation(tab).getByText('Reply 2.').waitFor()
    await ended(tab)
  }
  expect(await talkOf(page)).toEqual(await talkOf(other))
})

test('a message to an active run is visible until the run has read it, even after a reload and a stop', async () => {
  const { page } = await openPage({
    script: (messages) =>
      messages.at(-1)!.content.includes('One more thing.') ? 'Heard.' : endless(),
  })
  await send(page, 'Go.')
  await conversation(page).getByText('I begin').waitFor()
  await send(page, 'One more thing.')
  const unread = page.getByRole('status', { name: word('compose.unread') })
  await unread.getByText('One more thing.').waitFor()
  await page.reload()
  await unread.getByText('One more thing.').waitFor()
  await page.getByRole('button', { name: word('compose.stop') }).click()
  await page.getByRole('button', { name: word('compose.status.continue') }).waitFor()
  await unread.getByText('One more thing.').waitFor()
  await page.getByRole('button', { name: word('compose.status.continue') }).click()
  await conversation(page).getByText('Heard.').waitFor()
  await ended(page)
  expect(await unread.count()).toBe(0)
  expect(await conversation(page).getByText('One more thing.').count()).toBe(1)
})

async function* endless(): AsyncGenerator<string> {
  yield 'I begin, '
  await new Promise(() => {})
}

test('if another client answers first, that answer counts, and the page reports it', async () => {
  const { page, server, expectProblem } = await openPage({
    script: (_, turn) =>
      turn < 2
        ? call('Write', { file_path: `${turn}.txt`, content: 'a' })
        : 'One was allowed, one denied.',
  })
  const answer = async (verdict: 'approve' | 'deny'): Promise<void> => {
    const [request] = (await (await server.ask('/api/approvals')).json()) as {
      readonly run: string
      readonly key: string
    }[]
    const { run, key } = request!
    const response = await server.post(`/api/runs/${run}/${verdict}`, { key })
    expect(response.ok).toBe(true)
  }
  await send(page, 'Write two files.')
  // While the card is visible.
  await card(page, 'Write').getByText('0.txt').first().waitFor()
  await answer('approve')
  await card(page, 'Write').getByText('1.txt').first().waitFor()
  expect(readFileSync(join(server.folder, '0.txt'), 'utf8')).toBe('a')
  // Directly before the answer of this page arrives, which is then too late.
  expectProblem(/409/)
  await page.route('**/approve', async (route) => {
    await answer('deny')
    await route.continue()
  })
  await allow(card(page, 'Write'))
  await ended(page)
  await bubble(page, /Write 1\.txt.*denied/i).waitFor()
  expect(() => readFileSync(join(server.folder, '1.txt'))).toThrow('ENOENT')
})

test('pending requests are still there after a reload and after a restart', async () => {
  const { page, server, expectProblem } = await openPage({
    script: (_, turn) =>
      turn === 0
        ? [
            call('Write', { file_path: 'a.txt', content: 'a' }),
            call('Write', { file_path: 'b.txt', content: 'b' }),
          ].join('\n')
        : 'Both are answered.',
  })
  expectProblem(/Failed to load resource|ERR_/)
  await send(page, 'Write two files.')
  await expect.poll(() => card(page, 'Write').count(), WAIT).toBe(2)
  await page.reload()
  await expect.poll(() => card(page, 'Write').count(), WAIT).toBe(2)
  await server.restart('SIGKILL')
  await page.reload()
  await expect.poll(() => card(page, 'Write').count(), WAIT).toBe(2)
  // The cards appear in any order.
  const second = card(page, 'Write').filter({ hasText: 'b.txt' })
  await second.getByRole('textbox', { name: word('approvals.no.reason') }).fill('Not b.')
  await second.getByRole('button', { name: word('approvals.no'), exact: true }).click()
  const first = card(page, 'Write').filter({ hasText: 'a.txt' })
  await allow(first)
  await ended(page)
  expect(readFileSync(join(server.folder, 'a.txt'), 'utf8')).toBe('a')
  expect(() => readFileSync(join(server.folder, 'b.txt'))).toThrow('ENOENT')
})

/** The text of a run, without times. */
async function talkOf(page: Page): Promise<string> {
  const text = await conversation(page).innerText()
  return text.replaceAll(/\d+(?:\.\d+)? (?:ms|s|tokens\/s)/g, '')
}

test('written text is readable even if a part of the page cannot be loaded while the server is down', async () => {
  const { page, expectProblem } = await openPage({ script: () => 'It is **bold**.' })
  expectProblem(/Failed to load resource|ERR_|dynamically imported module/)
  await page.route('**/assets/markdown-*.js', (route) => route.abort())
  await send(page, 'Write something.')
  await ended(page)
  await conversation(page).getByText('bold').waitFor()
  await page.unroute('**/assets/markdown-*.js')
  await page.reload()
  await conversation(page).locator('strong').waitFor()
})
