import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { isLong } from '../helpers/size.ts'
import { openPage } from './harness.ts'
import { importRun, madeTool } from './made-runs.ts'
import { allRead, bubble, conversation, ended, send } from './page.ts'
import { call } from './scripted-model.ts'
import { scrub } from './scrub.ts'
import { lookForStrangeElements, walk } from './walk.ts'
import { word } from './word.ts'

const MAX_NODES = 2000

// npm run test:page uses 10,000 events.
const turns = isLong ? 500 : 125
// Each turn has a start, reasoning, text and an end, and four events for each call.
const events = turns * (4 + 4 * 4) + 6

test('a run with thousands of events has few nodes, and scrolls and replays smoothly', async () => {
  const { page, server } = await openPage()
  await lookForStrangeElements(page)
  const look = madeTool('Look', ({ at }) => `value ${String(at)}\n`.repeat(8))
  const printed = events.toLocaleString('en')
  await importRun(server, {
    id: 'run-large',
    prompt: 'Do a lot.',
    tools: [look],
    replies: [
      ...Array.from({ length: turns }, (_, at) => {
        const calls = Array.from({ length: 4 }, (__, place) => call('Look', { at: at * 4 + place }))
        return `<think>Next is ${at}.</think>\n## Step ${at}\n\nSome *text* with \`code\`:\n\n- one\n- two\n\n${calls.join('\n')}`
      }),
      'The last line.',
    ],
  })
  const replay = await server.ask('/api/runs/run-large/replay?limit=10000')
  expect(await replay.json()).toHaveLength(Math.min(events, 10_000))

  const reading = await measure(page, async () => {
    await page.goto(`${server.url}/chats/run-large`)
    await startMeasuring(page)
    await allRead(page)
    await conversation(page).getByText('The last line.').waitFor()
  })
  report(`reading ${printed} events`, reading)
  const { texts, nodes } = await walk(page)
  const scrolling = await measure(page, async () => {
    await startMeasuring(page)
    await scrollThrough(page)
  })
  report(`scrolling through ${texts.length} rows, at most ${nodes} nodes`, scrolling)
  expect(nodes).toBeLessThanOrEqual(MAX_NODES)
  const all = texts.join('\n')
  for (let at = 0; at < turns; at++) expect(all).toContain(`Step ${at}`)
  // Scrolls to the distant first row and back.
  await conversation(page).evaluate((list) => (list.scrollTop = 0))
  await conversation(page).getByText('Do a lot.').waitFor()
  expect(await count(page)).toBeLessThanOrEqual(MAX_NODES)

  // The replay of the run.
  await page.goto(`${server.url}/runs/run-large?at=0`)
  await page.getByText(word('runs.replay.position', { at: '0', count: printed })).waitFor()
  const scrubbing = await scrub(page, events)
  console.log(`scrubbing through ${printed} events: ${JSON.stringify(scrubbing)}`)
  expect(scrubbing.nodes).toBeLessThanOrEqual(MAX_NODES)
  await conversation(page).getByText('The last line.').waitFor()
  await page.getByText(word('runs.replay.position', { at: printed, count: printed })).waitFor()
  // The end of the waterfall is also reachable.
  const timeline = page.getByRole('region', { name: word('runs.timeline') })
  await timeline.evaluate((element) => (element.scrollTop = element.scrollHeight))
  await timeline.getByText(`Turn ${turns + 1}`, { exact: true }).waitFor()
}, 180_000)

test('a result of 5 MB can be opened and read', async () => {
  const { page, server } = await openPage()
  const lines = Array.from({ length: 50_000 }, (_, at) => `${at} ${'x'.repeat(94)}`)
  const look = madeTool('Look', () => lines.join('\n'))
  await importRun(server, {
    id: 'run-long',
    prompt: 'Look at it.',
    tools: [look],
    replies: [call('Look', { at: 'everything' }), 'That was long.'],
    limits: { maxResult: 8 << 20 },
  })
  await page.goto(`${server.url}/chats/run-long`)
  await allRead(page)
  await bubble(page, /Look/).click()
  const result = conversation(page).getByRole('region', { name: word('chat.result') })
  await result.getByText('0 xxx').first().waitFor()
  expect(await count(page)).toBeLessThanOrEqual(MAX_NODES)
  expect((await result.innerText()).length).toBeLessThan(1 << 20)
  // The other views of the result do not block the page either.
  for (const way of ['Markdown', word('chat.result.raw'), word('chat.result.text')]) {
    await conversation(page).getByRole('radio', { name: way }).click()
    await conversation(page).getByRole('radio', { name: way, checked: true }).waitFor()
    await conversation(page).getByText('0 xxx').first().waitFor()
    expect(await count(page)).toBeLessThanOrEqual(MAX_NODES)
  }
})

test('the page shows the outcome of a reply with 100,000 calls', async () => {
  const { page } = await openPage({
    script: (messages, turn) =>
      turn === 0
        ? Array.from({ length: 100_000 }, (_, at) => call('Read', { file_path: `${at}` })).join(
            '\n',
          )
        : 'That was too much.',
  })
  await send(page, 'Call everything.')
  await ended(page)
  expect(await count(page)).toBeLessThanOrEqual(MAX_NODES)
  await conversation(page)
    .getByText(/not run|could not be read|cut off/i)
    .first()
    .waitFor()
  // The page still responds to input.
  await send(page, 'Are you there?')
  await conversation(page).getByText('Are you there?').first().waitFor()
}, 180_000)

/** Scrolls like a user who holds a key: part of the window in every frame. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const list = document.querySelector('[role="log"]')!
    list.scrollTop = 0
    for (let at = -1; list.scrollTop > at;) {
      at = list.scrollTop
      await new Promise((resolve) => requestAnimationFrame(resolve))
      list.scrollTop += list.clientHeight * 0.7
    }
  })
}

function count(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll('*').length)
}

/** The longest blocking times of the main thread, in milliseconds. */
interface Work {
  readonly longest: number
  readonly median: number
  readonly frames: number
}

declare global {
  interface Window {
    work: { tasks: number[]; frames: number[] }
  }
}

/** Starts recording long tasks, and the work of every frame. */
async function startMeasuring(page: Page): Promise<void> {
  await page.evaluate(() => {
    const work: Window['work'] = (window.work = { tasks: [], frames: [] })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) work.tasks.push(duration)
    }).observe({ type: 'longtask' })
    const { port1, port2 } = new MessageChannel()
    let began = 0
    // A message sent at the start of a frame is received after its work is done.
    port1.onmessage = () => work.frames.push(performance.now() - began)
    const frame = (): void => {
      began = performance.now()
      port2.postMessage(undefined)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}

async function measure(page: Page, work: () => Promise<void>): Promise<Work> {
  await work()
  return await page.evaluate(() => {
    // Frames in between have no work.
    const frames = window.work.frames.filter((time) => time >= 1).sort((a, b) => a - b)
    const median = frames[frames.length >> 1] ?? 0
    return { longest: Math.max(0, ...window.work.tasks), median, frames: frames.length }
  })
}

/** Times depend on the machine, so they are printed and not checked. */
function report(what: string, { longest, median, frames }: Work): void {
  const ratio = (longest / median).toFixed(1)
  console.log(
    `${what}: longest task ${longest.toFixed(0)} ms (0: none above 50 ms), median work of ${frames} frames ${median.toFixed(1)} ms, ratio ${ratio}`,
  )
}
