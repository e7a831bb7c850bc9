import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { call } from './scripted-model.ts'
import { word } from './word.ts'
import { longTest } from '../helpers/size.ts'

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}
const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }]

test('shows each request to the gateway live, without its content', async () => {
  let finish = (): void => {}
  const finished = new Promise<void>((resolve) => (finish = resolve))
  async function* slowly(): AsyncGenerator<string> {
    yield 'One moment. '
    await finished
    yield `${call('get_weather', { city: 'Hanoi' })}\n${call('get_weather', { city: 'Huế' })}`
  }
  const { page, server } = await openPage({
    script: (messages) =>
      messages.at(-1)!.content.includes('broken')
        ? '<tool_call>\n{"name": "get_weather", "arguments": {"city": "secret city",}}\n</tool_call>'
        : slowly(),
  })
  await page.goto(`${server.url}/gateway`)
  await page.getByText(word('gateway.empty'), { exact: true }).waitFor()
  const ask = (content: string, more: object = {}): Promise<Response> =>
    server.ask('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'OpenAI/JS 6.9.1' },
      body: JSON.stringify({
        model: 'default',
        messages: [{ role: 'user', content }],
        tools,
        ...more,
      }),
    })
  const rows = page.getByRole('list', { name: word('gateway.requests') }).getByRole('link')

  // The known facts while the request is being answered.
  const open = await ask('a secret prompt', { stream: true, logprobs: true })
  const row = rows.filter({ hasText: word('gateway.outcome.open') })
  await row.getByText('chat-completions · hermes · OpenAI/JS 6.9.1').waitFor()
  await row.click()
  const detail = page.getByRole('article', { name: word('gateway.detail') })
  await detail.getByText(word('gateway.outcome.open')).waitFor()
  expect(new URL(page.url()).searchParams.get('request')).toMatch(/^req-/)
  // The facts after it has ended.
  finish()
  expect(await open.text()).toContain('get_weather')
  await detail.getByText(word('gateway.outcome.calls')).waitFor()
  const facts = async (): Promise<string[]> =>
    (await detail.locator('dl > div').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
  expect(await facts()).toEqual([
    `${word('gateway.detail.api')} chat-completions`,
    `${word('gateway.detail.client')} OpenAI/JS 6.9.1`,
    `${word('gateway.detail.token')} main`,
    `${word('gateway.detail.requested')} default`,
    `${word('gateway.detail.used')} qwen3:8b`,
    `${word('gateway.detail.protocol')} hermes`,
    `${word('gateway.detail.reply')} ${word('gateway.detail.streamed')}`,
    `${word('gateway.detail.tools')} 1`,
  ])
  expect(await detail.locator('li.chip.text-call').allInnerTexts()).toEqual([
    'get_weather',
    'get_weather',
  ])
  await detail.getByText('1,200', { exact: true }).waitFor()
  await detail.getByText('80', { exact: true }).waitFor()
  await detail.getByText(word('gateway.note.dropped', { what: 'logprobs' })).waitFor()

  // A repair, and a refusal.
  await (await ask('something broken')).text()
  await rows
    .first()
    .getByText(word('gateway.row.repairs', { count: 1 }))
    .click()
  await detail.getByText('trailing-comma').waitFor()
  expect((await ask('x', { model: 'gpt-9' })).status).toBe(404)
  await rows.first().getByText('model_not_found').click()
  await detail.getByText('Unknown model.').waitFor()
  // The keyboard also selects requests, and Back returns to the previous one.
  await page.keyboard.press('j')
  await detail.getByText('trailing-comma').waitFor()
  await page.keyboard.press('j')
  await detail.getByText(word('gateway.note.dropped', { what: 'logprobs' })).waitFor()
  await page.goBack()
  await detail.getByText('trailing-comma').waitFor()
  const figures = await page.getByRole('main').innerText()
  for (const figure of ['3 requests', '3 calls', '1 repair', '1 error'])
    expect(figures.replace(/\s+/g, ' ')).toContain(figure)

  // The conversation is neither on the page nor in the data it receives.
  const sent = await (await server.ask('/api/gateway/requests')).text()
  for (const text of [await page.locator('body').innerText(), sent])
    expect(text).not.toMatch(/secret|Hanoi|One moment/)
})

longTest('the copied text connects a client', async () => {
  const { page, server } = await openPage({
    script: () => call('get_weather', { city: 'Hanoi' }),
    settings: { gateway: { models: { "it's mine": { model: 'default' } } } },
  })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${server.url}/gateway`)
  await page.getByText(`${server.url}/v1`, { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'curl' }).click()
  await page.getByRole('button', { name: new RegExp(`^${word('gateway.connect.model')}`) }).click()
  await page.getByRole('option', { name: "it's mine" }).click()
  await page
    .getByRole('button', { name: word('gateway.connect.copy'), exact: true })
    .last()
    .click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain(`${server.url}/v1/chat/completions`)
  const printed = await promisify(execFile)('sh', ['-c', copied], {
    env: { ...process.env, OPENAI_API_KEY: server.token, no_proxy: '127.0.0.1' },
  })
  expect(JSON.parse(printed.stdout)).toMatchObject({
    model: "it's mine",
    choices: [
      {
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ function: { name: 'get_weather' } }] },
      },
    ],
  })
  await page
    .getByRole('list', { name: word('gateway.requests') })
    .getByText("it's mine")
    .waitFor()
})
