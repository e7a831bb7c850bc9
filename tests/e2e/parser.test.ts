import { readFileSync } from 'node:fs'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { parse, protocols } from '@toolglot/core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { bubble, conversation, ended, send } from './page.ts'
import { clear, compared, counts, paste, readAs, reply, understood } from './parser-page.ts'
import { call } from './scripted-model.ts'
import { word } from './word.ts'
import { longTest } from '../helpers/size.ts'

const VCP = `好的，我来读取。
<<<[TOOL_REQUEST]>>>
tool_name:「始」file_reader_read「末」,
path:「始」日记/今天.md「末」,
limit:「始」20「末」
<<<[END_TOOL_REQUEST]>>>
再查一下天气。
<<<[TOOL_REQUEST]>>>
tool_name:「始」weather_query「末」,
city:「始」河内「末」
<<<[END_TOOL_REQUEST]>>>`

async function openParser(options: Parameters<typeof openPage>[0] = {}) {
  const opened = await openPage(options)
  await opened.page.goto(`${opened.server.url}/parser`)
  await reply(opened.page).waitFor()
  return opened
}

test('a pasted VCP reply: its requests, with tool and arguments (S4 7.3); broken parts with reasons', async () => {
  const { page } = await openParser()
  await paste(page, VCP)
  const list = understood(page)
  await list.getByText('file_reader_read').first().waitFor()
  await list.getByText('weather_query').first().waitFor()
  expect(await list.locator('dl').first().innerText()).toMatch(
    /path\s+"日记\/今天\.md"\s+limit\s+"20"/,
  )
  expect(await page.locator('.cm-content .read-call').count()).toBeGreaterThan(1)
  await counts(page)
    .getByText(word('parser.count.calls', { count: 2 }))
    .waitFor()
  // The detected protocol, since none was selected.
  await list.getByText('vcp', { exact: true }).first().waitFor()

  // Repairs, before and after; malformed text with its position; a forged result.
  await clear(page)
  await page.getByRole('button', { name: word('parser.sample.repaired') }).click()
  await list.getByText('trailing-comma').waitFor()
  // Available once the tools are loaded.
  await expect.poll(() => list.locator('del').allInnerTexts()).toContain('"80"')
  expect(await list.locator('ins').allInnerTexts()).toContain('80')
  await page.locator('.cm-content .fix').first().waitFor()
  expect(await page.locator('.cm-content .stop-sign').count()).toBe(1)
  await list.getByText(word('parser.fact.afterResult')).waitFor()
  const broken = list.locator('article[data-kind="malformed"]')
  await counts(page)
    .getByRole('button', { name: word('parser.count.malformed', { count: 1 }) })
    .click()
  await broken.getByText(word('chat.problem.syntax')).waitFor()
  expect(await broken.locator('mark').innerText()).toBe('⏎')

  // Hovering over one highlights the other.
  const grep = list.locator('article', { hasText: 'Grep' })
  await grep.hover()
  await expect
    .poll(async () => (await page.locator('.cm-content .hot').allInnerTexts()).join(''))
    .toContain('setTimeout')
  await page.locator('.cm-content .read-forged').first().hover()
  await list.locator('article[data-kind="made-up"][data-hot]').waitFor()

  // A call in another protocol than the selected one: shows the protocol that can read it, and
  // switches with one click.
  await clear(page)
  await page.getByRole('button', { name: word('parser.sample.other') }).click()
  const reason = page.getByRole('region', { name: word('parser.reason') })
  await reason.getByRole('button').click()
  await counts(page)
    .getByText(word('parser.count.calls', { count: 2 }))
    .waitFor()
  // The incomplete beginning of a call: shows the protocol that got furthest.
  await clear(page)
  await readAs(page, 'hermes')
  await paste(page, '<tool_call> hello')
  await reason.getByText(word('parser.reason.furthest', { protocol: 'hermes' })).waitFor()
  expect(await reason.locator('mark').innerText()).toBe('h')
  // A malformed call is reported as such, even if another protocol would find a different call in
  // it.
  await clear(page)
  await paste(page, 'Look: <tool_call>{"name" "Read"}</tool_call>')
  await broken.getByText(word('chat.problem.syntax')).waitFor()
  await compared(page)
  expect(await reason.count()).toBe(0)
})

longTest('a replay shows what was parsed after each chunk', async () => {
  const { page } = await openParser()
  const before = 'Look.\n'
  const text = `${before}${call('Read', { file_path: 'a.txt' })}\nDone.`
  await paste(page, text)
  await understood(page).getByText('Read').waitFor()
  await compared(page)
  const chunks = Math.ceil(text.length / 6)
  const at = (step: number): string => word('parser.chunks.of', { step, count: chunks })
  await page.getByText(at(chunks)).waitFor()
  await page.getByRole('heading', { name: word('view.parser') }).click()
  // Moves back to the start of the call: it is still open, and the rest has not arrived.
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await understood(page).getByText(word('parser.open')).waitFor()
  expect(await page.locator('.cm-content .later').count()).toBeGreaterThan(0)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => understood(page).getByText(word('parser.open')).count()).toBe(0)
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await understood(page).getByText('"a.txt"').waitFor()
  // The slider, and playing to the end.
  await page.getByRole('slider').fill('0')
  await page.getByText(at(0)).waitFor()
  await expect.poll(() => understood(page).locator('article').count()).toBe(0)
  await page.getByRole('heading', { name: word('view.parser') }).click()
  await page.keyboard.press(' ')
  await page.getByText(at(chunks)).waitFor()
  await understood(page).getByText('Done.').waitFor()
  // Keys typed in the text don't trigger shortcuts.
  await reply(page).press('End')
  await page.keyboard.type(' x')
  await page.getByText(word('parser.characters', { count: text.length + 2 })).waitFor()
})

longTest('any reply can be shared as a file or a link and opened again', async () => {
  const { page, server, open } = await openParser({
    browser: { permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true },
  })
  const odd = `\ud800 ${call('Read', { file_path: '\udc00.txt' })}`
  const shared = {
    type: 'toolglot-reply',
    version: 1,
    text: odd,
    protocol: 'hermes',
    finish: 'length',
  }
  await openText(page, JSON.stringify(shared))
  await understood(page).getByText('Read').waitFor()
  // Invalid UTF-16 is shown as boxes, and remains unchanged.
  await page.locator('.cm-content .unseen-box', { hasText: 'U+D800' }).waitFor()
  await page.getByText(word('parser.finish.length'), { exact: true }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: word('parser.share') }).click(),
  ])
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toMatchObject(shared)
  await page
    .locator('[data-options]')
    .getByText(/^\d+ tools$/)
    .waitFor()
  await page.getByRole('button', { name: word('parser.link'), exact: true }).click()
  await page
    .getByText(word('parser.link.copied', { tools: 1, drawn: 0 }))
    .first()
    .waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/parser#reply=[\w-]+$/)
  // The link contains only the tool that the text uses.
  const { tools } = contentOf(link) as { tools: { name: string }[] }
  expect(tools.map(({ name }) => name)).toEqual(['Read'])

  const other = await open()
  await other.goto(link)
  await understood(other).getByText('Read').waitFor()
  await other.locator('.cm-content .unseen-box', { hasText: 'U+D800' }).waitFor()
  // After a change, the address no longer refers to the shared text.
  await reply(other).press('End')
  await other.keyboard.type('x')
  await expect.poll(() => other.url()).toBe(`${server.url}/parser`)

  // Links of another version, with errors, damaged, or far too large.
  const notice = page.locator('[data-parser] > .banner')
  await openText(page, JSON.stringify({ ...shared, version: 7 }))
  await notice.getByText(word('parser.notice.version', { version: '7' })).waitFor()
  await openText(page, JSON.stringify({ ...shared, finish: 3, tools: 'all' }))
  await notice.getByText(word('parser.notice.fields', { fields: 'finish, tools' })).waitFor()
  await openText(page, 'Just text.')
  await understood(page).getByText('Just text.').waitFor()
  expect(await notice.count()).toBe(0)
  const bomb = deflateRawSync(Buffer.alloc(64 << 20)).toString('base64url')
  await page.goto(`${server.url}/parser#reply=${bomb}`)
  await notice.getByText(word('parser.notice.too-large', { max: 10 })).waitFor()
  await page.goto(`${server.url}/parser#reply=AAAA`)
  await notice.getByText(word('parser.notice.broken')).waitFor()
})

longTest('a link opens a reply of a run', async () => {
  const { page, server } = await openPage({
    script: (_, turn) => (turn === 0 ? call('Read', { file_path: 'a.txt' }) : 'Done.'),
    files: { 'a.txt': 'x' },
  })
  await send(page, 'Read it.')
  await ended(page)
  const run = page.url().split('/').at(-1)!
  await page.goto(`${server.url}/parser?run=${run}&turn=0`)
  await understood(page).getByText('"a.txt"').waitFor()
  await page.getByRole('button', { name: word('parser.run') }).click()
  await page.getByRole('option', { name: word('chat.turn', { number: 2 }) }).click()
  await understood(page).getByText('Done.').waitFor()
  expect(page.url()).toContain('turn=1')
  await page.goBack()
  await understood(page).getByText('"a.txt"').waitFor()
  // The reply is edited, and the turn is opened again.
  await reply(page).press('Control+End')
  await page.keyboard.type(' EDITED')
  await understood(page).getByText('EDITED').waitFor()
  await expect.poll(() => page.url()).toBe(`${server.url}/parser`)
  await page.getByRole('button', { name: word('parser.run') }).click()
  await page.getByRole('option', { name: word('chat.turn', { number: 1 }) }).click()
  await expect.poll(() => understood(page).getByText('EDITED').count()).toBe(0)
})

longTest('a chat links to its timeline, and to the Parser for a malformed reply', async () => {
  const { page } = await openPage({
    script: (_, turn) => (turn === 0 ? '<tool_call>{"name" "Read"}</tool_call>' : 'Done.'),
  })
  await send(page, 'Read it.')
  await ended(page)
  const chat = page.url()
  await bubble(page, new RegExp(word('chat.malformed'))).click()
  await conversation(page)
    .getByRole('link', { name: word('view.parser') })
    .click()
  await understood(page).getByText(word('chat.problem.syntax')).waitFor()
  await page.goBack()
  // The reply next to the conversation is the last one.
  await page
    .getByRole('complementary', { name: word('chat.aside') })
    .getByRole('link', { name: word('view.parser') })
    .click()
  await understood(page).getByText('Done.').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: word('runs.timeline') }).click()
  await page.getByRole('region', { name: word('runs.timeline') }).waitFor()
  expect(page.url()).toBe(chat.replace('/chats/', '/runs/'))
})

longTest(
  'a text and its options survive a reload of the tab, but do not appear in another tab',
  async () => {
    const { page, server, open } = await openParser()
    await readAs(page, 'hermes')
    await paste(page, `Look.\n${call('Read', { file_path: 'kept.txt' })}`)
    await understood(page).getByText('"kept.txt"').waitFor()
    await page.reload()
    await understood(page).getByText('"kept.txt"').waitFor()
    await page.locator('[data-protocol]', { hasText: 'hermes' }).first().waitFor()
    const other = await open()
    await other.goto(`${server.url}/parser`)
    await other.getByText(word('parser.characters', { count: 0 })).waitFor()
    await clear(page)
    await page.reload()
    await page.getByText(word('parser.characters', { count: 0 })).waitFor()
  },
)

longTest('a shared protocol and a drawn one do not replace each other', async () => {
  const { page, server } = await openParser()
  await page.evaluate(() => localStorage.setItem('toolglot-drawn-protocol', '// mine'))
  await page.reload()
  await reply(page).waitFor()
  const text = call('Read', { file_path: 'a.txt' })
  const reason = page.getByRole('region', { name: word('parser.reason') })
  await page.goto(linkTo(server.url, { text, protocol: 'drawn', drawn: '// a stranger' }))
  // A protocol with errors cannot read the text.
  await reason.getByText(word('parser.reason.noProtocol')).waitFor()
  await page.getByRole('radio', { name: word('parser.tab.draw') }).click()
  const drawing = page.getByRole('textbox', { name: word('draw.editor') })
  await drawing.getByText('// a stranger').waitFor()
  await drawing.press('Control+End')
  await page.keyboard.type(' and I')
  await page.getByRole('button', { name: word('parser.fileDrawn.back') }).click()
  await drawing.getByText('// mine').waitFor()
  await page.reload()
  await drawing.waitFor()
  expect(await page.evaluate(() => localStorage.getItem('toolglot-drawn-protocol'))).toBe('// mine')
  // A protocol that is unknown here.
  const notice = page.locator('[data-parser] > .banner')
  for (const protocol of ['nope', 'own:nope', '__proto__']) {
    await page.goto(linkTo(server.url, { text, protocol }))
    await notice.getByText(word('parser.notice.no-protocol', { protocol })).waitFor()
    await understood(page).getByText('hermes', { exact: true }).waitFor()
  }
})

longTest('the latest input counts: neither pending text nor the address overrides it', async () => {
  const { page, server } = await openParser()
  await paste(page, 'Short.')
  await understood(page).getByText('Short.').waitFor()
  // A long text is saved after a pause. Meanwhile it is removed.
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'long text '.repeat(36_000))
    document
      .querySelector('.reply-editor .cm-content')!
      .dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-options] button')]
    buttons.at(-1)!.click()
  })
  await page.waitForTimeout(500)
  await page.getByText(word('parser.characters', { count: 0 })).waitFor()
  // Another tab opened at that time also shows it.
  await paste(page, 'long text '.repeat(36_000))
  await page.getByRole('radio', { name: word('parser.tab.draw') }).click()
  await page.locator('[data-beside] .cm-content').getByText('long text').first().waitFor()
  await page.getByRole('radio', { name: word('parser.tab.reading') }).click()

  // Removed text no longer counts as the text in the address, so the link can be opened again.
  const link = linkTo(server.url, { text: 'Of a link.' })
  for (let time = 0; time < 2; time++) {
    await page.evaluate((url) => location.assign(url), link)
    await understood(page).getByText('Of a link.').waitFor()
    await clear(page)
    await expect.poll(() => page.url()).toBe(`${server.url}/parser`)
  }
})

/** A shared link. */
function linkTo(url: string, shared: object): string {
  const content = JSON.stringify({ type: 'toolglot-reply', version: 1, ...shared })
  return `${url}/parser#reply=${deflateRawSync(content).toString('base64url')}`
}

function contentOf(link: string): unknown {
  return JSON.parse(inflateRawSync(Buffer.from(link.split('=')[1]!, 'base64url')).toString())
}

/** Opens a text file with this content. */
async function openText(page: Page, text: string): Promise<void> {
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'reply.json', mimeType: 'application/json', buffer: Buffer.from(text) })
}

const UNIT = `I look at the next file.\n${call('Read', { file_path: 'src/a.ts', limit: '80' })}\n`

longTest('refuses 10 MB; highlights 1 MB while the page stays responsive', async () => {
  const { page } = await openParser()
  const notice = page.locator('[data-parser] > .banner')
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'x'.repeat(10 << 20))
    document
      .querySelector('.cm-content')!
      .dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
  })
  await notice.getByText('4,194,304').waitFor()
  await notice.getByRole('button').click()
  await openText(page, 'x'.repeat(10 << 20))
  await notice.getByText('4,194,304').waitFor()
  expect(await page.locator('.cm-content').innerText()).not.toContain('xxx')

  // Typing remains possible while the worker reads.
  const text = UNIT.repeat(Math.ceil((1 << 20) / UNIT.length))
  const units = text.length / UNIT.length
  await watchTasks(page)
  await watchKeys(page)
  const started = Date.now()
  await paste(page, text)
  await reply(page).focus()
  let delays: readonly number[] = []
  for (let at = 1; at <= 12; at++) delays = await pressKey(page, at)
  await counts(page)
    .getByText(word('parser.count.calls', { count: units }), { exact: true })
    .waitFor()
  const read = Date.now() - started
  await page.locator('.cm-content .read-call').first().waitFor()
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  const { longest, count } = await tasks(page)
  console.log(
    `  1 MB (${units} calls): from a key to its frame while it is being read: median ${middle(delays)} ms, at most ${Math.max(...delays)} ms; read after ${read} ms; ${count} long tasks, the longest ${longest} ms; ${nodes} nodes`,
  )
  expect(nodes).toBeLessThanOrEqual(2000)
  // The end of the text is highlighted once it is visible.
  await reply(page).press('Control+End')
  await page.locator('.cm-content .read-call').last().waitFor()
  await page.locator('.reply-editor .bar-call').last().waitFor()
})

longTest(
  'compares 68 protocols on 10 KB in a worker, with the same results as separately',
  async () => {
    const { page } = await openParser()
    const odd = `${UNIT}<tool_call>{"name": "Re</tool_call>\n{'name': 'Grep', 'arguments': {}}\n[TOOL_CALLS]x\n`
    const text = odd.repeat(Math.ceil(10_240 / odd.length)).slice(0, 10_240)
    await page
      .getByRole('button', { name: new RegExp(word('parser.tools')) })
      .first()
      .click()
    await page.getByRole('menuitemcheckbox', { name: word('parser.tools.none') }).click()
    await paste(page, 'Warm up.')
    await compared(page)
    expect(page.workers()).toHaveLength(1)
    await clear(page)
    await watchTasks(page)
    await paste(page, text)
    await page.getByText(word('parser.characters', { count: text.length })).waitFor()
    await understood(page).getByText('Read').first().waitFor()
    await expect.poll(() => page.locator('[data-track="other"]').count()).toBeGreaterThan(2)
    const { time, readingTime } = await compared(page)
    const { longest, count } = await tasks(page)
    console.log(
      `  68 protocols on 10 KB: ${time} ms in the worker, of which 68 single readings took ${readingTime} ms; ${count} long tasks on the page, the longest ${longest} ms`,
    )

    // Every protocol is in one track, with the same numbers as on its own.
    const tracks = await page.locator('[data-track="other"]').evaluateAll((all) =>
      all.map((each) => ({
        protocols: each.getAttribute('title')!.split(': ')[1]!.split(', '),
        chips: [...each.querySelectorAll('.chip')].map(({ textContent }) => textContent),
      })),
    )
    const ids = tracks.flatMap((track) => track.protocols)
    expect(ids.sort()).toEqual(Object.keys(protocols).sort())
    for (const { protocols: same, chips } of tracks)
      for (const id of same) {
        const { calls } = parse(text, { protocols: protocols[id]! })
        expect({ id, calls: chips[0] }).toEqual({
          id,
          calls:
            calls.length === 0
              ? word('parser.count.text')
              : word('parser.count.calls', { count: calls.length }),
        })
      }
    // After selecting another protocol, the readings of all protocols are still available.
    await readAs(page, 'hermes')
    await page.locator('[data-track="chosen"]').getByText('hermes').waitFor()
    await understood(page).getByText('Read').first().waitFor()
    expect((await compared(page)).time).toBe(time)
    // Side by side, piece by piece.
    await page.getByRole('radio', { name: word('parser.tab.compare') }).click()
    await page.locator('section[data-protocol]').nth(2).locator('.wire').waitFor()
    for (const column of await page.locator('section[data-protocol]').all()) {
      const id = (await column.getAttribute('data-protocol'))!
      const drawn = await column
        .locator('.wire > span')
        .evaluateAll((all) => all.map(({ className, textContent }) => [className, textContent]))
      const { segments } = parse(text, { protocols: protocols[id]! })
      expect(drawn.length).toBeGreaterThan(0)
      expect(drawn).toEqual(
        segments
          .filter(({ span: [from, to] }) => to > from)
          .slice(0, drawn.length)
          .map(({ type, span }) => [CLASSES[type], text.slice(...span)]),
      )
    }
  },
)

const CLASSES = {
  text: '',
  mark: 'read-mark',
  reasoning: 'read-reasoning',
  call: 'read-call',
  malformed: 'read-malformed',
  result: 'read-forged',
}

/** Starts recording long tasks of the page. */
function watchTasks(page: Page): Promise<void> {
  return page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(Math.round(duration))
    }).observe({ type: 'longtask' })
  })
}

async function tasks(page: Page): Promise<{ longest: number; count: number }> {
  const all = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks)
  return { longest: Math.max(0, ...all), count: all.length }
}

/** Starts recording the time from each key to the frame after it. */
function watchKeys(page: Page): Promise<void> {
  return page.evaluate(() => {
    const delays: number[] = []
    Object.assign(globalThis, { delays })
    addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() =>
          setTimeout(() => delays.push(Math.round(performance.now() - timeStamp))),
        ),
      { capture: true },
    )
  })
}

/**
 * Presses a key, and waits for the frame after it. Returns the times of all keys so far, in
 * milliseconds.
 */
async function pressKey(page: Page, count: number): Promise<readonly number[]> {
  await page.keyboard.press('a')
  const delays = await page.waitForFunction((wanted) => {
    const known = (globalThis as unknown as { delays: number[] }).delays
    return known.length >= wanted && known
  }, count)
  return delays.jsonValue() as Promise<number[]>
}

function middle(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!
}
