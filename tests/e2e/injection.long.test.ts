import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { importRun, madeTool } from './made-runs.ts'
import { allRead, loaded } from './page.ts'
import { type Payload, payloads } from './payloads.ts'
import { call } from './scripted-model.ts'
import { lookForStrangeElements, walk } from './walk.ts'

/** One payload of each kind. */
const samples = [...new Map(payloads.map((payload) => [payload.kind, payload])).values()]

test('there are 200 payloads of 20 kinds', () => {
  expect(payloads.length).toBeGreaterThanOrEqual(200)
  expect(samples.length).toBeGreaterThanOrEqual(20)
})

test('text of a model, its calls and the results of tools is never interpreted', async () => {
  const { page, server } = await openPage()
  await lookForStrangeElements(page)
  // A failed call is open, so its arguments and its result are visible.
  const fail = madeTool('Look', ({ file_path: path }) => {
    throw new Error(`result of ${String(path)}`)
  })
  await importRun(server, {
    id: 'run-hostile',
    prompt: payloads[0]!.text,
    tools: [fail],
    replies: [
      ...payloads.map(
        ({ text }, at) =>
          `<think>${text}</think>\nText ${at}.\n\n${text}\n\n${call('Look', { file_path: text, [text]: text })}`,
      ),
      'Done.',
    ],
    limits: { maxMalformed: 1e6, maxRepeats: 1e6 },
  })
  await page.goto(`${server.url}/chats/run-hostile`)
  await allRead(page)
  const { texts, strange } = await walk(page)
  const all = texts.join('\n')
  expect(strange).toEqual([])
  // All text is visible: the text next to each payload, and the payload itself in the result of the
  // call.
  const missing = payloads.filter(
    ({ text }, at) => !all.includes(`Text ${at}.`) || (isPlain(text) && !all.includes(text)),
  )
  expect(missing).toEqual([])
  await nothingRan(page)
})

test('pending calls, commands, questions, tools and names of runs are never interpreted', async () => {
  const { page, server } = await openPage()
  await lookForStrangeElements(page)
  const ask = madeTool('Ask', async ({ text }, { ask: person, signal }) => {
    const question = String(text)
    const option = { label: question, description: question, preview: question }
    return person!(
      [{ question, header: question.slice(0, 12), options: [option, { ...option, label: 'no' }] }],
      signal,
    )
  })
  const write = madeTool('Bash', () => 'done', { readOnly: false })
  await importRun(server, {
    id: 'run-asking',
    name: samples[3]!.text.slice(0, 60),
    prompt: 'Ask.',
    tools: [ask, write],
    replies: [
      samples
        .flatMap(({ text }) => [
          call('Bash', { command: text, [text]: text }),
          call('Ask', { text }),
        ])
        .join('\n'),
    ],
    limits: { maxCallsPerTurn: 1000, maxMalformed: 1000 },
    waits: true,
  })
  await importRun(server, {
    id: 'run-names',
    prompt: 'Call what does not exist.',
    replies: [samples.map(({ text }) => call(text, {})).join('\n'), 'Done.'],
    limits: { maxCallsPerTurn: 1000, maxMalformed: 1000 },
  })
  for (const { text } of samples)
    await importRun(server, {
      id: `run-${Math.random().toString(36).slice(2)}`,
      name: text.replaceAll(/[\n\r]/g, ' ').slice(0, 60),
      prompt: text,
      replies: [text],
    })
  for (const run of ['run-asking', 'run-names']) {
    await page.goto(`${server.url}/chats/${run}`)
    await page.locator('[data-row]').first().waitFor()
    await allRead(page)
    const { strange } = await walk(page)
    expect(strange).toEqual([])
  }
  // The palette contains the names of all runs.
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
  expect(await page.evaluate(() => window.strangeElements())).toEqual([])
  await nothingRan(page)
})

test('names, rules, servers and descriptions in settings and folders are never interpreted', async () => {
  const tools = samples.map(({ text }, at) => ({
    name: `tool_${at}`,
    description: text,
    inputSchema: { type: 'object', properties: { [text]: { type: 'string', description: text } } },
  }))
  const { page, server } = await openPage({
    settings: { mcpServers: { hostile: hostileServer(tools) } },
  })
  await lookForStrangeElements(page)
  const hostile = join(server.folder, '<img src=x onerror=window.ran=1>\u202e')
  mkdirSync(join(hostile, '.toolglot'), { recursive: true })
  writeFileSync(
    join(hostile, '.toolglot/settings.json'),
    JSON.stringify({
      permissions: { allow: samples.map(({ text }) => `Bash(${text})`) },
      mcpServers: { '<svg onload=window.ran=1>': { command: '<script>window.ran=1</script>' } },
    }),
  )
  const folder = `?folder=${encodeURIComponent(hostile)}`
  const seen = new Map<string, string>()
  for (const path of [
    '/settings/mcp',
    `/settings/permissions${folder}`,
    `/settings/folders${folder}`,
    `/settings/all${folder}`,
    `/settings/mcp${folder}`,
    `/chat${folder}`,
  ]) {
    await page.goto(server.url + path)
    await loaded(page)
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true
    })
    expect(await page.evaluate(() => window.strangeElements())).toEqual([])
    seen.set(path, await page.locator('body').innerText())
    await page.keyboard.press('Escape')
  }
  for (const { text } of samples.filter(({ text: each }) => isPlain(each))) {
    expect(seen.get('/settings/mcp')).toContain(text)
    expect(seen.get(`/settings/permissions${folder}`)).toContain(text)
  }
  // The last path is the chat, which shows the name of the folder after it has searched for models.
  await page.getByText('<img src=x onerror=window.ran=1>U+202E').first().waitFor()
  await nothingRan(page)
})

test('text in the other views is never interpreted: replies, prompts, tools, forms, files, requests and figures', async () => {
  const tools = samples.map(({ text }, at) => ({
    name: `tool_${at}`,
    description: text,
    inputSchema: {
      type: 'object',
      properties: {
        [text]: { type: 'string', description: text, default: text, enum: [text, ''] },
      },
    },
  }))
  const { page, server, expectProblem } = await openPage({
    settings: { mcpServers: { hostile: hostileServer(tools) } },
  })
  // Some payloads are not valid model names, so those requests are refused.
  expectProblem(/40\d/)
  await lookForStrangeElements(page)
  const all = samples.map(({ text }) => text).join('\n')
  const reply = samples
    .map(({ text }) => `<think>${text}</think>\n${text}\n${call('Look', { [text]: text })}`)
    .join('\n')
  await importRun(server, {
    id: 'run-hostile',
    prompt: all,
    tools: [madeTool('Look', () => all)],
    replies: [`${reply}\n<tool_response>\n${all}\n</tool_response>\n<tool_call>${all}`, all],
    limits: { maxCallsPerTurn: 1000, maxMalformed: 1000, maxRepeats: 1e6 },
  })
  for (const { text } of samples)
    await server.ask('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': encodeURI(text) },
      body: JSON.stringify({
        model: text,
        messages: [{ role: 'user', content: text }],
        tools: [{ type: 'function', function: { name: 'Look', description: text } }],
      }),
    })
  const few = all.slice(0, 500)
  const some = [...samples.keys()].filter((at) => at % 6 === 0)
  const folder = `&folder=${encodeURIComponent('/<img src=x onerror=window.ran=1>')}`
  const seen = new Map<string, string>()
  for (const path of [
    '/tools',
    ...some.flatMap((at) => [
      `/tools?tool=mcp__hostile__tool_${at}`,
      `/sandbox?tool=mcp__hostile__tool_${at}`,
    ]),
    `/sandbox?tool=${encodeURIComponent(samples[3]!.text)}&arguments=${encodeURIComponent(all)}`,
    '/parser?run=run-hostile&turn=0',
    '/parser?run=run-hostile&turn=1',
    '/runs',
    '/runs/run-hostile?turn=0',
    '/runs/run-hostile?turn=1&with=0',
    '/runs/run-hostile?at=30',
    `/runs?search=${encodeURIComponent(few)}&tool=${encodeURIComponent(few)}`,
    '/statistics',
    `/statistics?model=${encodeURIComponent(few)}${folder}`,
    '/gateway',
    `/gateway?request=${encodeURIComponent(all)}`,
  ]) {
    await page.goto(server.url + path)
    await loaded(page)
    expect(await page.evaluate(() => window.strangeElements())).toEqual([])
    seen.set(path, await page.locator('body').innerText())
  }
  expect(seen.get('/tools?tool=mcp__hostile__tool_0')).toContain(samples[0]!.text)
  expect(seen.get('/sandbox?tool=mcp__hostile__tool_0')).toContain(samples[0]!.text)
  expect(seen.get('/parser?run=run-hostile&turn=1')).toContain(samples[0]!.text)
  expect(seen.get('/runs/run-hostile?turn=1')).not.toBe('')
  await nothingRan(page)
})

/** An MCP server in the settings whose tools have strange names and descriptions. */
function hostileServer(tools: readonly object[]) {
  return {
    command: process.execPath,
    args: [join(import.meta.dirname, 'hostile-mcp-server.mjs')],
    env: { TOOLS: Buffer.from(JSON.stringify(tools)).toString('base64') },
  }
}

async function nothingRan(page: Page): Promise<void> {
  const traces = await page.evaluate(() => [
    window.ran,
    (Object.prototype as { ran?: unknown }).ran,
    document.querySelectorAll('img[src]').length,
  ])
  expect(traces).toEqual([undefined, undefined, 0])
}

/**
 * True if a text looks unchanged when invisible characters are spelled out and line breaks are
 * marked.
 */
function isPlain(text: Payload['text']): boolean {
  return !/[^\P{C}]|\n/u.test(text)
}
