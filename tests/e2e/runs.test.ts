import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { importRun, madeTool, makeRun } from './made-runs.ts'
import { conversation, ended, send } from './page.ts'
import { call } from './scripted-model.ts'
import { word } from './word.ts'
import { longTest } from '../helpers/size.ts'

const REPLIES = [
  `First I look.\n${call('Glob', { pattern: '*.unusual' })}`,
  `Then I write.\n${call('Write', { file_path: 'notes.txt', content: 'one\n' })}\n<tool_call>\n{"name": "Bash", "argum\n</tool_call>`,
  'All is done.',
]

function list(page: Page): Locator {
  return page.getByRole('list', { name: word('runs.list') }).getByRole('link')
}

function timeline(page: Page): Locator {
  return page.getByRole('region', { name: word('runs.timeline') })
}

function pane(page: Page, name: string): Locator {
  return page.getByRole('group', { name, exact: true })
}

test('a run can be found, read turn by turn, compared, replayed, undone, forked, renamed and deleted', async () => {
  const { page, server, model } = await openPage({
    script: (_, turn) => REPLIES[turn] ?? 'Nothing more.',
    settings: { permissions: { mode: 'acceptEdits' } },
  })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await send(page, 'Write some notes.')
  await ended(page)
  const run = page.url().split('/').at(-1)!
  await importRun(server, {
    id: 'run-other',
    prompt: 'Something else.',
    tools: [madeTool('Look', () => 'A needle in a haystack')],
    replies: [call('Look', { at: 1 }), 'Seen.'],
  })

  // The list, its search, and its filters.
  await page.goto(`${server.url}/runs`)
  await list(page).nth(1).waitFor()
  expect(await list(page).count()).toBe(2)
  await page.keyboard.press('/')
  await page.keyboard.type('HAYSTACK')
  await expect.poll(() => list(page).count()).toBe(1)
  await list(page).filter({ hasText: 'Something else.' }).waitFor()
  expect(page.url()).toContain('search=HAYSTACK')
  await page.keyboard.press('Escape')
  await expect.poll(() => list(page).count()).toBe(2)
  await page.getByRole('button', { name: word('runs.filter'), exact: true }).click()
  await page.getByRole('textbox', { name: word('runs.filter.tool') }).fill('Glob')
  await page.getByRole('button', { name: word('runs.filter.do') }).click()
  await expect.poll(() => list(page).count()).toBe(1)
  expect(page.url()).toContain('tool=Glob')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')

  // The timeline, and each turn exactly as recorded.
  await timeline(page)
    .getByRole('link', { name: /Turn 3/ })
    .waitFor()
  expect(page.url()).toContain(`/runs/${run}?tool=Glob`)
  await timeline(page).getByText(word('runs.notUnderstood')).waitFor()
  for (const [turn, reply] of REPLIES.entries()) {
    await timeline(page)
      .getByRole('link', { name: new RegExp(`Turn ${turn + 1}`) })
      .click()
    const written = pane(page, word('runs.reply', { turn: turn + 1 })).locator('.wire')
    await written.waitFor()
    expect(await written.textContent()).toBe(reply)
    const prompt = pane(page, word('runs.prompt', { turn: turn + 1 }))
    await prompt.locator('.cm-content').waitFor()
    await prompt.getByRole('button', { name: word('runs.prompt.copy') }).click()
    const sent = model.requests[turn]!.map(({ role, content }) => `${role}\n${content}`)
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(sent.join('\n\n'))
    // The text is the same, with invisible characters in boxes. Only visible rows are drawn, so a
    // slow machine may need another attempt.
    if (turn === 1)
      await expect
        .poll(() => shownPrompt(prompt), { timeout: 30_000 })
        .toBe(sent.join('\n\n').replaceAll('\u2060', 'U+2060'))
    expect(page.url()).toContain(`turn=${turn}`)
  }

  // Headings describe the content below them, not the available actions.
  for (const title of [word('runs.prompt', { turn: 3 }), word('runs.reply', { turn: 3 })])
    await page.getByRole('heading', { name: title, exact: true }).waitFor()

  // The difference between two prompts, opened by a link.
  await page.goto(`${server.url}/runs/${run}?turn=1&with=0`)
  const difference = pane(page, word('runs.prompt.compared', { turn: 2, other: 1 }))
  await difference.getByText('First I look.').waitFor()
  expect((await difference.locator('.cm-deletedChunk').allTextContents()).join('').trim()).toBe('')

  // A call, opened by a click and by its link.
  await timeline(page).getByRole('link', { name: /Write/ }).click()
  const written = pane(page, word('runs.call', { tool: 'Write' }))
  await written.getByText('"content": "one\\n"').waitFor()
  await written.getByText(word('runs.verdict.unasked')).waitFor()
  await page.reload()
  await written
    .getByText(/notes\.txt/)
    .first()
    .waitFor()

  // The replay.
  await page.getByRole('button', { name: word('runs.replay') }).click()
  const slider = page.getByRole('slider', { name: word('runs.replay.event') })
  await page.getByRole('button', { name: word('runs.replay.pause') }).click()
  await slider.press('Home')
  await expect.poll(() => conversation(page).locator('[data-row]').count()).toBe(0)
  await slider.press('Shift+ArrowRight')
  await conversation(page).getByText('Write some notes.').waitFor()
  await slider.press('End')
  await conversation(page).getByText('All is done.').waitFor()
  await slider.blur()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(() => conversation(page).getByText('All is done.').count()).toBe(0)
  // The shown turn is selected, regardless of the previous selection, and would be forked.
  await timeline(page)
    .locator('[aria-current]')
    .getByText(/Turn 3/)
    .waitFor()
  expect(await timeline(page).locator('[aria-current]').count()).toBe(1)
  await page.getByRole('button', { name: word('runs.fork.from', { turn: 3 }) }).waitFor()
  await expect.poll(() => page.url()).toMatch(/at=[1-9]/)
  // The run was working at that moment, but the visible part is complete.
  expect(await conversation(page).getAttribute('aria-busy')).toBe('false')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.url()).not.toContain('at=')

  // The files in their previous state.
  const notes = join(server.folder, 'notes.txt')
  expect(await readFile(notes, 'utf8')).toBe('one\n')
  await page.getByRole('button', { name: word('runs.undo') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: word('chat.undo.do') })
    .click()
  await page.getByRole('dialog').getByText(word('chat.undo.removed')).waitFor()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: word('shell.close') })
    .first()
    .click()
  await expect(readFile(notes, 'utf8')).rejects.toThrow()

  // Renames and removes the run.
  const menu = async (item: string): Promise<void> => {
    await page.getByRole('button', { name: word('runs.more') }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await menu(word('runs.rename'))
  await page.getByRole('textbox', { name: word('shell.run.name') }).fill('My notes')
  await page.getByRole('button', { name: word('shell.run.rename.do') }).click()
  await list(page).filter({ hasText: 'My notes' }).waitFor()

  // A fork at its first turn, with another message.
  await page.goto(`${server.url}/runs/${run}?turn=0`)
  const fork = page.getByRole('button', { name: word('runs.fork.from', { turn: 1 }) })
  await expect.poll(() => fork.isEnabled()).toBe(true)
  await page.locator('.cm-content').waitFor()
  await page.keyboard.press('f')
  const words = page.getByRole('textbox', { name: word('runs.fork.instead') })
  expect(await words.inputValue()).toBe('Write some notes.')
  await words.fill('Write other notes.')
  await words.press('Control+Enter')
  await page.waitForURL(/\/chats\//)
  expect(page.url()).not.toContain(run)
  await ended(page)
  await conversation(page).getByText('Write other notes.').waitFor()

  await page.goto(`${server.url}/runs/${run}`)
  await timeline(page).waitFor()
  await menu(word('runs.delete'))
  await page
    .getByRole('dialog')
    .getByRole('button', { name: word('shell.run.delete.do') })
    .click()
  await page.waitForURL(/\/runs(\?.*)?$/)
  await expect.poll(() => list(page).filter({ hasText: 'My notes' }).count()).toBe(0)
}, 90_000)

longTest(
  'imports an export again; reports empty, missing, damaged and other files',
  async () => {
    const { page, server, expectProblem } = await openPage()
    expectProblem(/status of [45]\d\d/)
    await page.goto(`${server.url}/runs`)
    await page.getByText(word('runs.none'), { exact: true }).waitFor()
    await importRun(server, { id: 'run-mine', prompt: 'Keep this.', replies: ['It is kept.'] })
    await page.goto(`${server.url}/runs/run-mine`)
    await timeline(page).waitFor()
    await page.getByRole('button', { name: word('runs.more') }).click()
    await page.getByRole('menuitem', { name: word('runs.export') }).click()
    await page.getByRole('dialog').getByText(word('runs.export.secrets')).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: word('runs.export.do') }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.jsonl$/)
    const text = await readFile(await download.path(), 'utf8')
    expect(text).toContain('It is kept.')

    const file = join(server.folder, 'export.jsonl')
    const choose = async (content: string): Promise<void> => {
      await writeFile(file, content)
      await page.getByLabel(word('runs.import.file')).setInputFiles(file)
    }
    await choose(text.replace(/"version":\d+/, '"version":99'))
    await page
      .getByText(/The run has version 99/)
      .first()
      .waitFor()
    await page.getByText(word('runs.import.version')).first().waitFor()
    await choose(text.slice(0, -20))
    await page
      .getByText(/Nothing was imported/)
      .last()
      .waitFor()
    await choose('not an export')
    await page
      .getByText(/Line 1: This must be a JSON object/)
      .first()
      .waitFor()
    // The page still works, and accepts a valid file.
    await choose(text.replaceAll('run-mine', 'run-copy'))
    await page.waitForURL(/run-copy/)
    await pane(page, word('runs.reply', { turn: 1 }))
      .getByText('It is kept.')
      .waitFor()
    // The title is available once the run is read.
    await expect
      .poll(() =>
        page.getByRole('button', { name: word('runs.fork.from', { turn: 1 }) }).isDisabled(),
      )
      .toBe(true)

    await page.goto(`${server.url}/runs/run-nowhere`)
    await page.getByText(word('runs.missing'), { exact: true }).waitFor()

    // An imported file may contain arbitrary data.
    const lines = (await makeRun({ id: 'run-odd', prompt: 'Hello.', replies: ['Hello.'] })).split(
      '\n',
    )
    const odd = lines.map((line) =>
      line.includes('"turn/0"') ? line.replace(/"segments":\[.*?\],"/, '"segments":7,"') : line,
    )
    await server.post('/api/runs/import', { lines: odd.join('\n') })
    await page.goto(`${server.url}/runs/run-odd`)
    await page.getByText(word('runs.unreadable'), { exact: true }).first().waitFor()
    await list(page).filter({ hasText: 'Hello.' }).waitFor()

    // A filter may also have any value, and the next page may fail.
    let isBroken = true
    await page.route(/\/api\/search\b/, async (route) => {
      const isNext = new URL(route.request().url()).searchParams.has('after')
      if (isNext && isBroken) return route.fulfill({ status: 500, json: {} })
      if (isNext) return route.fulfill({ json: { total: 1, runs: [] } })
      const response = await route.fetch()
      const found = (await response.json()) as object
      return route.fulfill({ response, json: { ...found, next: 'more' } })
    })
    await page.goto(`${server.url}/runs?reason=constructor`)
    await page.getByRole('button', { name: /constructor/ }).waitFor()
    await page.goto(`${server.url}/runs`)
    const retry = page.getByRole('button', { name: word('shell.retry') })
    await retry.waitFor()
    await list(page).filter({ hasText: 'Hello.' }).waitFor()
    isBroken = false
    await retry.click()
    await expect.poll(() => retry.count()).toBe(0)
    await expect.poll(() => page.getByText(word('shell.loading')).count()).toBe(0)
    await page.unrouteAll()
  },
  60_000,
)

/** Only visible text is drawn, so the editor has to be scrolled. */
async function shownPrompt(prompt: Locator): Promise<string> {
  return prompt.locator('.cm-scroller').evaluate(async (scroller) => {
    const lines = new Map<number, string>()
    const top = scroller.getBoundingClientRect().top
    for (scroller.scrollTop = 0; ;) {
      await new Promise((resolve) => setTimeout(resolve, 30))
      for (const line of scroller.querySelectorAll('.cm-line')) {
        const place = Math.round(line.getBoundingClientRect().top - top + scroller.scrollTop)
        lines.set(place, line.textContent)
      }
      const before = scroller.scrollTop
      scroller.scrollTop += scroller.clientHeight
      if (scroller.scrollTop === before) break
    }
    return [...lines]
      .sort(([one], [other]) => one - other)
      .map(([, text]) => text)
      .join('\n')
  })
}
