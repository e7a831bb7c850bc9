import { expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { clear, compared, paste, reply, understood } from './parser-page.ts'
import { call } from './scripted-model.ts'
import { word } from './word.ts'

const READ = call('Read', { file_path: 'src/a.ts' })

test('shows the correct reason why a call was not understood', async () => {
  const { page, server } = await openPage()
  await page.goto(`${server.url}/parser`)
  await reply(page).waitFor()
  const list = understood(page)
  const status = page.locator('[data-counts]')
  const reason = page.getByRole('region', { name: word('parser.reason') })

  // A complete call that is ignored because of its position.
  await paste(page, `<think>\nI should read it.\n${READ}\n</think>\nThe file is read.`)
  await reason.getByText(word('parser.ignored.reasoning', { name: 'Read' })).waitFor()
  await clear(page)
  await paste(page, `You could use:\n\`\`\`xml\n${READ}\n\`\`\`\nThat will read the file for you.`)
  await reason.getByText(word('parser.ignored.code', { name: 'Read' })).click()
  await clear(page)
  const escaped = READ.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  await paste(page, `${escaped} ok then.`)
  await reason.getByText(word('parser.ignored.escaped', { name: 'Read' })).waitFor()
  await compared(page)
  expect(await reason.getByRole('button').count()).toBe(1)

  // An unknown tool, and invalid arguments.
  await clear(page)
  await paste(
    page,
    `${call('read_flie', { path: 'a' })}\n${call('Read', { path: 'a', limit: 'ten' })}`,
  )
  await list.getByText(word('parser.problem.tool', { tool: 'read_flie' })).waitFor()
  await list
    .getByText(word('parser.problem.similar', { name: 'Read' }))
    .first()
    .waitFor()
  await list.getByText(word('parser.problem.missing', { argument: 'file_path' })).waitFor()
  await list.getByText('It is "ten".').waitFor()
  await status.getByText(word('parser.count.problems', { count: 4 })).waitFor()
  await list
    .getByTitle(word('parser.readBy', { protocol: 'hermes' }))
    .first()
    .waitFor()

  // The malformed text is the answer: it is visible immediately, its badge links to it, and advice
  // is below it.
  await clear(page)
  const lines = Array.from({ length: 12 }, () => `Look.\n${READ}`).join('\n')
  await paste(page, `${lines}\n<tool_call>\n{"name": "Read"}}} ok?\n</tool_call> thanks\n${lines}`)
  const broken = list.locator('article[data-kind="malformed"]')
  await expect.poll(() => isInSight(broken)).toBe(true)
  await list.evaluate((each) => each.scrollTo(0, 0))
  await expect.poll(() => broken.count()).toBe(0)
  await status.getByRole('button', { name: word('parser.count.malformed', { count: 1 }) }).click()
  await expect.poll(() => isInSight(broken)).toBe(true)

  // A call that was cut off is shown as a problem.
  await clear(page)
  await paste(page, READ.slice(0, 60))
  await status.getByText(word('parser.count.cut', { count: 1 })).waitFor()
  expect(await status.getByText(word('parser.count.calls', { count: 1 })).count()).toBe(0)

  // The best reading comes first in the comparison, with its cards.
  await clear(page)
  await paste(page, `Look:\n${READ}`)
  await compared(page)
  await page.getByRole('radio', { name: word('parser.tab.compare') }).click()
  const first = page.locator('section[data-protocol]').first()
  await first.locator('article', { hasText: '"src/a.ts"' }).getByText('hermes').waitFor()
  expect(await first.getAttribute('data-protocol')).toBe('hermes')
})

/** True if an item is completely visible in the list. */
async function isInSight(item: ReturnType<ReturnType<typeof understood>['locator']>) {
  if ((await item.count()) === 0) return false
  return item.evaluate((each) => {
    const window = each.closest('[role="region"]')!.getBoundingClientRect()
    const { top, bottom } = each.getBoundingClientRect()
    return top >= window.top - 1 && bottom <= window.bottom + 1
  })
}
