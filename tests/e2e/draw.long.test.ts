import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { word } from './word.ts'

const arrow = readFileSync(
  new URL('../../packages/web/src/parser/draw/starts/arrow.ts', import.meta.url),
  'utf8',
)

/** A protocol with another mark, and an example that violates it. */
const drawn = arrow.replaceAll('=>', '=>>').replaceAll(') =>>', ') =>')
const broken = drawn.replace("calls: [['ping', { n: 1 }]]", "calls: [['ping', { n: 2 }]]")

function withoutTypes(source: string): string {
  return source.replace(/^import type .*\n/m, '').replaceAll(/: (?:Examples|Protocol) =/g, ' =')
}

async function openDrawing(page: Page): Promise<{ pane: Locator; editor: Locator }> {
  await page.goto(new URL('/parser?show=draw', page.url()).href)
  const pane = page.getByRole('region', { name: word('draw.title') })
  const editor = pane.getByRole('textbox', { name: word('draw.editor') })
  await editor.waitFor()
  return { pane, editor }
}

test('a protocol is drawn, checked, tried, saved, and used with the command; nothing in its text runs', async () => {
  const { page, server } = await openPage({ files: {} })
  const trusting = server.command('trust', '--yes', server.folder)
  const { pane, editor } = await openDrawing(page)

  // Problems are underlined in the text, and listed with their positions.
  await editor.fill(broken.replace('${args} <=`', '${arks} <=`'))
  const listed = pane.getByRole('button', { name: '18:28' })
  await listed.waitFor()
  expect(await pane.locator('.draw-problem').innerText()).toBe('arks')
  await listed.click()
  expect(await page.evaluate(() => String(getSelection()))).toBe('arks')
  await page.keyboard.type('args')

  // A broken law shows the example that breaks it.
  await pane.getByText(word('draw.state.broken', { count: 2 })).waitFor()
  await pane.getByText('calls: [["ping",{"n":1}]] instead of [["ping",{"n":2}]]').waitFor()

  // The drawn protocol reads the reply next to it immediately, and is saved.
  await editor.fill(drawn)
  await pane.getByRole('button', { name: 'one call' }).click()
  await page
    .getByRole('region', { name: word('parser.understood') })
    .getByText('ping')
    .first()
    .waitFor()
  await pane.getByText('=>> get_weather {"city": "Hà Nội", "days": 2} <=').waitFor()
  await page.reload()
  await pane.getByText('=>> get_weather').waitFor()

  const downloading = page.waitForEvent('download')
  await pane.getByRole('button', { name: word('draw.save') }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toBe('arrow.ts')
  // The oldest supported Node does not support types.
  const saved = join(server.folder, 'arrow.mjs')
  writeFileSync(saved, withoutTypes(readFileSync(await file.path(), 'utf8')))
  await trusting
  expect(await server.command('protocols', '--check', saved)).toContain('All laws hold.')

  await editor.fill(`globalThis.ran = 1
${arrow.replace("'Our own fine-tune'", "eval('ran = 1') + ''.constructor.constructor('ran = 1')()")}
export const x = fetch('https://evil.example')
`)
  await pane.getByText(/`eval` is not allowed in a protocol file/).waitFor()
  await pane.getByText(/`fetch` is not allowed/).waitFor()
  expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
})
