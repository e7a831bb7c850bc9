import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createServer } from 'vite'
import { serveProcess } from '../../packages/cli/test/serve-process.ts'
import { browser } from './harness.ts'

test('the example of the React hooks chats, and asks before a file is written', async () => {
  // The demo script answers.
  const server = await serveProcess()
  const { TOOLGLOT_URL, TOOLGLOT_TOKEN } = process.env
  Object.assign(process.env, { TOOLGLOT_URL: server.url, TOOLGLOT_TOKEN: server.token })
  const folder = new URL('../../examples/react-chat/', import.meta.url)
  const example = await createServer({
    configFile: fileURLToPath(new URL('vite.config.ts', folder)),
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1' },
    cacheDir: `${server.folder}/vite`,
  })
  onTestFinished(async () => {
    Object.assign(process.env, { TOOLGLOT_URL, TOOLGLOT_TOKEN })
    await example.close()
  })
  await example.listen()
  const context = await (await browser()).newContext({ locale: 'en-US' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(example.resolvedUrls!.local[0]!)
  await page.getByLabel('Message').fill('Create hello.txt')
  await page.getByRole('button', { name: 'Send' }).click()
  const call = page.getByRole('group', { name: 'Write' })
  await call.getByRole('button', { name: 'Allow once' }).click()
  await call.getByText('success').waitFor()
  await page
    .getByText(/hello\.txt/)
    .last()
    .waitFor()
  expect(await call.getByRole('button').count()).toBe(0)
})
