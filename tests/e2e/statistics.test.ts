import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { RunStatistics } from '../../packages/agent/src/journal/index.ts'
import { openPage } from './harness.ts'
import { call } from './scripted-model.ts'
import { word } from './word.ts'
import { longTest } from '../helpers/size.ts'

const replies = [
  // A repair, and a call that fails.
  `<tool_call>\n{"name": "Read", "arguments": {"file_path": "package.json",}}\n</tool_call>\n${call('Read', { file_path: 'missing.txt' })}`,
  // A denied call.
  call('Bash', { command: 'touch x' }),
  // A malformed call.
  '<tool_call>\n{"name": {}\n</tool_call>',
  call('Read', { file_path: 'notes.txt' }),
  'Done.',
]

/** The totals above the plots. */
const figuresOf = (page: Page): Locator =>
  page.getByRole('region', { name: word('statistics.figures') })

/** The rows of a plot as a table of visible strings. */
async function tableOf(page: Page, title: string): Promise<string[][]> {
  const plot = page.getByRole('region', { name: title, exact: true }).first()
  const toggle = plot.getByRole('button', { name: `${title}: ${word('statistics.asTable')}` })
  await toggle.click()
  const rows = plot.locator('tbody tr')
  await rows.first().waitFor()
  const found = await Promise.all(
    (await rows.all()).map((row) => row.locator('th, td').allInnerTexts()),
  )
  await toggle.click()
  return found
}

test('the figures match those of the command and the API, and link to runs', async () => {
  const { page, server } = await openPage({
    files: { 'package.json': '{}\n', 'notes.txt': 'Ship it.\n' },
    script: (_, turn) => replies[turn] ?? 'Done.',
  })
  await page.goto(`${server.url}/statistics`)
  await page.getByText(word('statistics.empty')).waitFor()
  await page.getByRole('link', { name: word('statistics.empty.sandbox') }).waitFor()

  const { run } = (await (await server.post('/api/runs', { prompt: 'Go' })).json()) as {
    readonly run: string
  }
  await expect.poll(async () => waiting(), { timeout: 20_000 }).toHaveLength(1)
  const [asked] = await waiting()
  await server.post(`/api/runs/${run}/deny`, { key: asked!.key, reason: 'No.' })
  await expect
    .poll(async () => state(), { timeout: 20_000 })
    .toMatchObject({ summary: { state: 'finished' } })

  await page.reload()
  await figuresOf(page).waitFor()
  const stats = (await (await server.ask('/api/stats?days=30')).json()) as RunStatistics
  const printed = JSON.parse(
    await server.command('runs', 'stats', '--days', '30', '--json'),
  ) as RunStatistics
  expect(stats).toMatchObject(printed)
  expect(stats.approvals).toEqual({ asked: 1, allowed: 0, denied: 1 })

  // The figures: 4 calls, one repaired, one failed, one denied; another was malformed.
  const figures = (await figuresOf(page).locator('> div').allInnerTexts()).map((text) =>
    text.split(/\s*\n\s*/),
  )
  expect(figures.slice(0, 4)).toEqual([
    [word('statistics.calls'), '4', word('statistics.calls.runs', { count: 1 })],
    [
      word('statistics.understood'),
      '80%',
      word('statistics.understood.not', { count: 1, all: '5' }),
    ],
    [
      word('statistics.repaired'),
      '25%',
      word('statistics.repaired.calls', { count: 1, repairs: 1 }),
    ],
    [word('statistics.failed'), '25%', word('statistics.failed.denied', { percent: '25%' })],
  ])
  // Each plot has the same data as its table.
  expect(await tableOf(page, word('statistics.byDay'))).toEqual([
    [expect.any(String), '2', '1', '1'],
  ])
  await page.locator('main canvas').waitFor()
  expect(Object.fromEntries(await tableOf(page, word('statistics.why')))).toEqual({
    [word('statistics.why.denied')]: '1',
    [word('statistics.why.notUnderstood')]: '1',
    not_found: '1',
  })
  expect(
    (await tableOf(page, word('statistics.long'))).map(([name, , , count]) => [name, count]),
  ).toEqual([['Read', '3']])
  expect(await tableOf(page, word('statistics.read'))).toEqual([['hermes', '3', '1', '1']])
  expect(await tableOf(page, word('statistics.wrong'))).toEqual([['qwen3:8b', '20.0', '20.0']])
  const [model] = stats.models
  expect(await tableOf(page, word('statistics.tokens'))).toEqual([
    ['qwen3:8b', model!.usage.input.toLocaleString('en'), String(model!.usage.output), '5'],
  ])
  expect(model!.waitTime).toBeGreaterThan(0)

  // A filter is part of the address, and Back undoes it.
  await page.getByRole('button', { name: new RegExp(`^${word('statistics.filter.tool')}`) }).click()
  await page.getByRole('option', { name: 'Bash' }).click()
  await figuresOf(page).locator('b', { hasText: /^1$/ }).waitFor()
  expect(new URL(page.url()).searchParams.get('tool')).toBe('Bash')
  await page.getByText(word('statistics.understood.byTool')).waitFor()
  await page.goBack()
  await figuresOf(page).locator('b', { hasText: /^4$/ }).waitFor()
  await page.getByRole('radio', { name: word('statistics.days.1') }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('days')).toBe('1')
  // An unused model.
  await page.goto(`${server.url}/statistics?model=none`)
  await page.getByText(word('statistics.empty.filtered')).waitFor()
  await page
    .getByRole('button', { name: word('statistics.filter.clear') })
    .first()
    .click()
  // A name links to its runs.
  await page
    .getByRole('region', { name: word('statistics.long'), exact: true })
    .getByRole('link', { name: 'Read' })
    .click()
  await page.waitForURL(/\/runs\?tool=Read/)

  async function waiting(): Promise<{ readonly key: string }[]> {
    return (await (await server.ask('/api/approvals')).json()) as { readonly key: string }[]
  }
  async function state(): Promise<unknown> {
    return await (await server.ask(`/api/runs/${run}`)).json()
  }
})

longTest('an odd browser language and unreadable runs do not affect the figures', async () => {
  const { page, server } = await openPage({
    files: { 'a.txt': 'a' },
    script: (_, turn) => (turn === 0 ? call('Read', { file_path: 'a.txt' }) : 'Done.'),
  })
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'language', { value: 'en-US@posix' }),
  )
  const { run } = (await (await server.post('/api/runs', { prompt: 'Go' })).json()) as {
    readonly run: string
  }
  await (await server.ask(`/api/runs/${run}/events`)).text()
  await page.goto(`${server.url}/statistics`)
  await figuresOf(page).waitFor()
  await page.getByText(word('statistics.byDay.noPlot')).waitFor()

  // Unreadable runs are listed.
  await page.route('**/api/stats*', async (route) => {
    const response = await route.fetch()
    const figures = (await response.json()) as object
    await route.fulfill({ response, json: { ...figures, unreadable: ['run-broken'] } })
  })
  await page.reload()
  await page.getByText(word('statistics.unreadable', { count: 1 })).waitFor()
  await page.getByText('run-broken').waitFor()
  await page.unrouteAll()
})
