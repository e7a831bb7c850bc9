import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { browser } from './harness.ts'
import { compared, paste, reply, understood } from './parser-page.ts'
import { call } from './scripted-model.ts'
import { word } from './word.ts'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'packages/web/dist/parser.html')

test('the Parser as a single file reads a reply from the disk, without any requests', async () => {
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      '--config',
      'vite.parser.config.ts',
      '--logLevel',
      'error',
    ],
    {
      cwd: join(root, 'packages/web'),
      stdio: 'inherit',
      // In a test environment, it would be a development build.
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  const html = readFileSync(file)
  console.log(
    `  parser.html: ${Math.round(html.length / 1024)} KB, ${Math.round(gzipSync(html).length / 1024)} KB gzip`,
  )
  const context = await (await browser()).newContext({ locale: 'en-US', reducedMotion: 'reduce' })
  const problems: string[] = []
  const requests: string[] = []
  context.on('console', (message) => problems.push(message.text()))
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('request', (request) => requests.push(request.url()))
  const page = await context.newPage()
  const url = pathToFileURL(file).href
  await page.goto(url)
  await reply(page).waitFor()
  await paste(page, `Look.\n${call('Read', { file_path: 'a.txt' })}`)
  await understood(page).getByText('"a.txt"').waitFor()
  await compared(page)
  // Another language changes only the labels.
  await page.getByRole('button', { name: word('shell.language') }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Tiếng Việt' }).click()
  await page.locator('.cm-content[aria-label="Câu trả lời"]').waitFor()
  expect(await page.locator('.cm-content .read-call').count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Ngôn ngữ' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'English' }).click()
  expect(page.workers()).toHaveLength(1)
  // The sample, the comparison, and drawing a protocol also work.
  await page.getByRole('radio', { name: word('parser.tab.compare') }).click()
  await page.locator('section[data-protocol] .wire').first().waitFor()
  await page.getByRole('radio', { name: word('parser.tab.draw') }).click()
  await page.getByRole('textbox', { name: word('draw.editor') }).waitFor()
  expect(problems).toEqual([])
  expect(requests.filter((each) => each !== url && !/^(?:blob|data):/.test(each))).toEqual([])
  await context.close()
})
