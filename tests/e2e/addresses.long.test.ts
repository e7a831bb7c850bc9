import { expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { loaded } from './page.ts'
import { word } from './word.ts'

test('the page reports an unknown address', async () => {
  const { page, server, expectProblem } = await openPage()
  expectProblem(/status of 4(04|14)/)
  for (const path of ['/nope/x', '/chats/a/b', '/page/index.html']) {
    expect((await page.goto(server.url + path))!.status()).toBe(404)
    await page.getByRole('heading', { name: word('shell.notFound') }).waitFor()
  }
  await page
    .getByRole('main')
    .getByRole('link', { name: word('shell.newChat') })
    .click()
  await page.waitForURL(/\/chat$/)
  // An address that is too long for the server is not too long for the page.
  const args = JSON.stringify({ file_path: 'x'.repeat(9000) })
  const address = `${server.url}/sandbox?tool=Read&arguments=${encodeURIComponent(args)}`
  expect((await page.goto(address))!.status()).toBe(414)
  await loaded(page)
  await page.getByRole('heading', { level: 1, name: word('view.sandbox') }).waitFor()
})
