import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type OpenPage, type PageOptions } from './harness.ts'
import { card, ended, send, allow as press } from './page.ts'
import { call } from './scripted-model.ts'
import { word } from './word.ts'

/**
 * A model that runs this command in a folder with empty files of these names, and the card of the
 * call.
 */
async function asked(
  command: string,
  names: readonly string[],
  options: PageOptions = {},
): Promise<OpenPage & { readonly asking: Locator }> {
  const open = await openPage({
    files: Object.fromEntries(names.map((name) => [name, ''])),
    script: (_, turn) => (turn === 0 ? call('Bash', { command }) : 'Done.'),
    ...options,
  })
  await send(open.page, 'Go.')
  const asking = card(open.page, 'Bash')
  await asking.waitFor()
  return { ...open, asking }
}

const runsAs = (within: Locator): Locator =>
  within.getByRole('region', { name: word('approvals.runsAs') })
/** The effect of the first part. */
const part = (within: Locator): Locator =>
  within
    .getByRole('table', { name: word('approvals.parts') })
    .getByRole('cell')
    .nth(1)
const allow = (asking: Locator): Locator =>
  asking.getByRole('button', { name: word('approvals.allow') })

const POLL = { timeout: 20_000 }

/** Waits until a click would allow the call. */
async function isReady(asking: Locator): Promise<void> {
  await expect.poll(() => allow(asking).getAttribute('aria-disabled'), POLL).toBe('false')
}

test('the card shows the files that match a pattern, and those are used', async () => {
  const names = ['a.log', 'b c.log', 'notes.txt']
  const { page, server, asking } = await asked('rm *.log', names)
  expect(await part(asking).textContent()).toBe("rm a.log 'b c.log'")
  expect(await runsAs(asking).isVisible()).toBe(false)
  await asking.getByText(word('approvals.runsAs')).click()
  expect(await runsAs(asking).textContent()).toBe("'rm' 'a.log' 'b c.log'")
  await press(asking)
  await ended(page)
  expect(names.filter((name) => existsSync(join(server.folder, name)))).toEqual(['notes.txt'])
})

test('shows a notice if a command runs as written', async () => {
  const { asking } = await asked('f() { rm a.log; }; f', ['a.log'])
  await asking.getByText(word('approvals.unprinted')).waitFor()
  expect(await asking.getByText(word('approvals.runsAs')).count()).toBe(0)
})

test('a call of another program shows them too', async () => {
  const { page, server } = await openPage({ files: { 'a.log': '', 'b.log': '' } })
  const body = { tool_name: 'bash', arguments: { command: 'rm *.log' } }
  // The call is refused until the page reports that an approver is present.
  await expect
    .poll(async () => (await server.post('/api/tools/execute', body)).status, POLL)
    .toBe(202)
  const review = page.getByRole('button', { name: word('shell.review'), exact: true })
  await review.first().click()
  expect(await part(card(page, 'bash')).textContent()).toBe('rm a.log b.log')
})

test('no file name hides text, or looks like another command', async () => {
  const names = ['a\nrm -rf build', 'pаckage.json', "x'; make #", '$(make)']
  const { asking } = await asked('rm *', names)
  const text = await part(asking).innerText()
  expect(text).toBe("rm '$(make)' $'a\\nrm -rf build' 'pаckage.json' 'x'\\''; make #'")
  const disguised = { word: 'pаckage', letter: 'U+0430' }
  await asking.getByText(word('approvals.caution.confusable', disguised)).waitFor()
  // No single key allows the call.
  await isReady(asking)
  expect(await allow(asking).getAttribute('aria-keyshortcuts')).toBe(null)
  // The rule that "always" would add contains the same names.
  await asking.getByRole('button', { name: word('approvals.always') }).click()
  const rules = asking.getByRole('region', { name: word('approvals.always.title', { count: 1 }) })
  expect(await rules.innerText()).toBe(`Bash(${text.replace("$'a\\n", "'aU+000A")})`)
})

test.each([
  ['an escape sequence', 'a\x1b[2K', 'U+001B'],
  ['a right-to-left override', 'a\u202egol', 'U+202E'],
])('%s in a name keeps the pattern unchanged, and is shown by name', async (_, name, character) => {
  const { asking } = await asked('rm *', [name, 'z'])
  await asking.getByText(word('approvals.reason.unseen', { name: character })).waitFor()
  expect(await asking.innerText()).not.toContain(name)
})

test('right-to-left letters do not change the order of a command', async () => {
  const { asking } = await asked('cp א* ב*>ג', ['א', 'ב'])
  for (const box of [part(asking), asking.getByRole('region', { name: word('approvals.command') })])
    expect(await orderOf(box)).toEqual({ isLeftToRight: true })
})

test('the parts do not overlap on a phone', async () => {
  const browser = { viewport: { width: 390, height: 844 } }
  const { asking } = await asked('rm *.log', ['a.log', 'b.log'], { browser })
  const places = await asking
    .getByRole('cell')
    .evaluateAll((cells) => cells.map((each) => each.getBoundingClientRect().toJSON() as DOMRect))
  const chip = (await asking.getByRole('cell').first().locator('span').first().boundingBox())!
  expect(chip.x + chip.width).toBeLessThanOrEqual(places[1]!.left)
  expect(places[2]!.top).toBeGreaterThanOrEqual(places[1]!.bottom)
})

test('all of many names are visible, and must be scrolled through', async () => {
  const names = Array.from({ length: 500 }, (_, at) => `file-${at}.log`)
  const { page, asking, server } = await asked('rm *.log', names)
  const box = asking.getByRole('region', { name: word('approvals.parts.part') })
  expect((await box.textContent())!.split(' ')).toEqual(['rm', ...names.toSorted()])
  const { height } = (await box.boundingBox())!
  expect(height).toBeLessThan(500)
  // Names don't wrap, so that none looks like two.
  const heights = await box
    .locator('[data-word]')
    .evaluateAll((words) => words.map((each) => (each as HTMLElement).offsetHeight))
  expect(new Set(heights).size).toBe(1)
  const top = (): Promise<number> => box.evaluate(({ scrollTop }) => scrollTop)
  const end = await box.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  await asking.getByText(word('approvals.unseen')).waitFor()
  // Each click scrolls further, and allows no call before its end was visible.
  while ((await top()) < end - 1) {
    const before = await top()
    await expect
      .poll(async () => {
        await allow(asking).click({ force: true })
        return await top()
      }, POLL)
      .toBeGreaterThan(before)
    expect(existsSync(join(server.folder, names[0]!))).toBe(true)
  }
  // The hint about more content disappears, which moves the card once more.
  await expect
    .poll(async () => {
      if (await asking.isVisible()) await allow(asking).click({ force: true, timeout: 1000 })
      return existsSync(join(server.folder, names[0]!))
    }, POLL)
    .toBe(false)
  await ended(page)
})

/** True if each character of a line is to the right of the previous one. */
function orderOf(box: Locator): Promise<{ readonly isLeftToRight: boolean }> {
  return box.evaluate((element) => {
    const range = document.createRange()
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const places: number[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (let at = 0; at < node.textContent!.length; at++) {
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        places.push(range.getBoundingClientRect().left)
      }
    return { isLeftToRight: places.every((place, at) => at === 0 || place >= places[at - 1]!) }
  })
}
