import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { hostileSchema, hostileServer } from './hostile-schema.ts'
import { allow, card, loaded } from './page.ts'
import { word } from './word.ts'
import { longTest } from '../helpers/size.ts'

const files = { 'notes.txt': 'Ship it.\nToday.\n', 'data.json': '{"version":"1.2.3"}\n' }

/** Opens an address after the page has logged in. */
async function show(page: Page, url: string): Promise<void> {
  await page.getByRole('navigation').first().waitFor()
  await page.goto(url)
}

function address(tool?: string, args?: object): string {
  const query = new URLSearchParams({
    ...(tool !== undefined && { tool }),
    ...(args && { arguments: JSON.stringify(args) }),
  })
  return `/sandbox?${query.toString()}`
}

const field = (page: Page, name: string): Locator =>
  page.getByRole('textbox', { name: new RegExp(`^${name}\\b`) })
const runButton = (page: Page): Locator =>
  page.getByRole('button', { name: new RegExp(`^${word('sandbox.run')}\\b`) })
const result = (page: Page): Locator =>
  page.getByRole('region', { name: word('sandbox.result'), exact: true }).first()
const pastRuns = (page: Page): Locator =>
  page.getByRole('list', { name: word('sandbox.history') }).getByRole('button')
const verdict = (page: Page, kind: 'allow' | 'ask' | 'deny'): Locator =>
  page
    .getByRole('region', { name: word('sandbox.call') })
    .locator('.verdict')
    .getByText(word(`approvals.verdict.${kind}`), { exact: true })

/**
 * Types arguments as JSON. Playwright's `fill` replaces text unlike a keyboard: the browser would
 * copy its colors into styles.
 */
async function writeJson(page: Page, text: string): Promise<void> {
  const json = page.getByRole('textbox', { name: word('sandbox.json') })
  await json.click()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Backspace')
  await json.fill(text)
}

test('a user selects a tool, fills in its form and runs it; the result and recent calls are shown', async () => {
  const { page, server, expectProblem } = await openPage({ files })
  expectProblem(/401/)
  await show(page, server.url + address())
  await loaded(page)
  await page.getByRole('button', { name: word('sandbox.tool.choose') }).click()
  await page.getByRole('combobox').fill('Read')
  await page
    .getByRole('option', { name: /^Read\b/ })
    .first()
    .click()
  // A required argument is missing.
  await field(page, 'file_path').waitFor()
  expect(await runButton(page).isDisabled()).toBe(true)
  await page.getByText(word('sandbox.run.missing', { names: 'file_path' })).waitFor()
  await field(page, 'file_path').fill('notes.txt')
  await verdict(page, 'allow').waitFor()
  await page.keyboard.press('Control+Enter')
  await result(page).getByText(word('sandbox.status.success')).waitFor()
  expect(await result(page).getByText('Ship it.').innerText()).toContain('Today.')
  expect(await result(page).locator('.toolbar').innerText()).toMatch(/\d ms|\d s/)

  // The error of a field is shown below it, and Run is disabled.
  await field(page, 'limit').fill('many')
  await page.getByText(word('sandbox.fault.integer')).waitFor()
  expect(await runButton(page).isDisabled()).toBe(true)

  // The JSON contains the values of the form, and vice versa.
  await page.getByRole('radio', { name: 'JSON' }).first().click()
  const json = page.getByRole('textbox', { name: word('sandbox.json') })
  await json.getByText('"notes.txt"').waitFor()
  await json.getByText('"many"').waitFor()
  // Text that replaces highlighted text is inserted exactly as typed, and no style is created from
  // its colors.
  await json.click()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('{"file_path": "notes.txt", "limit": 12}')
  for (const key of ['ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft'])
    await page.keyboard.press(key)
  await page.keyboard.type('34')
  await expect.poll(() => json.innerText()).toBe('{"file_path": "notes.txt", "limit": 34}')
  await writeJson(page, '{\n  "file_path": "data.json",\n  "limit": 1\n}')
  await page.getByRole('radio', { name: word('sandbox.mode.form') }).click()
  expect(await field(page, 'file_path').inputValue()).toBe('data.json')
  expect(await field(page, 'limit').inputValue()).toBe('1')
  await runButton(page).click()
  await result(page).getByText('1.2.3').waitFor()

  // The position of invalid JSON is shown, and the form keeps its values.
  await page.getByRole('radio', { name: 'JSON' }).first().click()
  await json.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' x')
  await page.getByText(word('sandbox.json.at', { line: 4, column: 3 })).waitFor()
  expect(await runButton(page).isDisabled()).toBe(true)
  await page.getByRole('radio', { name: word('sandbox.mode.form') }).click()
  expect(await field(page, 'file_path').inputValue()).toBe('data.json')
  await page.getByRole('radio', { name: 'JSON' }).first().click()
  await json.getByText('} x').waitFor()
  // Invalid JSON is kept after a reload, instead of the older value in the address.
  await page.waitForTimeout(600)
  await page.reload()
  await page.getByRole('radio', { name: 'JSON' }).first().click()
  await json.getByText('} x').waitFor()
  await json.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.getByRole('radio', { name: word('sandbox.mode.form') }).click()

  // Text that is too long for the address is also kept after a reload.
  const long = `${'x'.repeat(9000)}.txt`
  await field(page, 'file_path').fill(long)
  await expect.poll(() => new URL(page.url()).searchParams.has('arguments')).toBe(false)
  await page.reload()
  await expect.poll(() => field(page, 'file_path').inputValue()).toBe(long)

  // The last calls are kept, and can be cleared.
  await field(page, 'file_path').fill('missing.txt')
  await runButton(page).click()
  await result(page).getByText('not_found').waitFor()
  expect(await pastRuns(page).count()).toBe(3)
  await page.reload()
  await loaded(page)
  expect(await pastRuns(page).count()).toBe(3)
  await pastRuns(page).last().click()
  await expect.poll(() => field(page, 'file_path').inputValue()).toBe('notes.txt')
  await result(page).getByText('Ship it.').waitFor()

  // On a phone, they are behind a button.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: word('sandbox.history'), exact: true }).click()
  const list = page.getByRole('dialog')
  await list.getByRole('button', { name: /data\.json/ }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await list.getByRole('button', { name: word('sandbox.history.clear'), exact: true }).click()
  await list.getByText(word('sandbox.history.none')).waitFor()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })

  // Logging out leaves no data behind.
  await runButton(page).click()
  await result(page).getByText('Ship it.').waitFor()
  const kept = (): Promise<string> => page.evaluate(() => Object.values(localStorage).join('\n'))
  expect(await kept()).toContain('Ship it.')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(word('shell.logOut'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: word('shell.loggedOut') }).waitFor()
  expect(await kept()).not.toContain('Ship it.')
})

longTest('approves, denies and stops a pending call, and shows the reason', async () => {
  const { page, server } = await openPage({
    files: { ...files, 'wait.sh': 'sleep 600\n' },
    settings: { permissions: { deny: ['Bash(rm *)'], allow: ['Bash(sh wait.sh)'] } },
  })
  const made = join(server.folder, 'made.txt')
  // A link fills in the form, and runs nothing.
  await show(page, server.url + address('Bash', { command: 'echo ok > made.txt' }))
  await page.getByText(word('sandbox.fromLink')).waitFor()
  await verdict(page, 'ask').waitFor()
  expect(await pastRuns(page).count()).toBe(0)
  expect(existsSync(made)).toBe(false)
  await runButton(page).click()
  const asking = card(page, 'Bash')
  await asking.getByText('echo ok > made.txt').first().waitFor()
  // The request is visible here, so it is not announced elsewhere.
  expect(await page.getByRole('button', { name: word('shell.review'), exact: true }).count()).toBe(
    0,
  )
  expect(await page.getByText(word('sandbox.fromLink')).count()).toBe(0)
  // The call is still there after a reload.
  await page.reload()
  await result(page).getByText(word('sandbox.status.waiting')).first().waitFor()
  await asking.getByText('echo ok > made.txt').first().waitFor()
  await expect
    .poll(() => page.getByRole('button', { name: word('shell.review'), exact: true }).count())
    .toBe(0)
  await allow(asking)
  await result(page).getByText(word('sandbox.status.success')).waitFor()
  await result(page)
    .getByText(word('chat.exit', { code: 0 }))
    .waitFor()
  expect(existsSync(made)).toBe(true)

  await field(page, 'command').fill('rm -rf made.txt')
  await verdict(page, 'deny').waitFor()
  await runButton(page).click()
  await result(page).getByText('permission_denied').waitFor()
  await result(page).getByRole('status').first().getByText(word('sandbox.status.denied')).waitFor()
  expect(existsSync(made)).toBe(true)

  await field(page, 'command').fill('sh wait.sh')
  await verdict(page, 'allow').waitFor()
  await runButton(page).click()
  await result(page).getByText(word('sandbox.status.running')).waitFor()
  await result(page)
    .getByRole('button', { name: word('shell.stop') })
    .click()
  await result(page).getByRole('status').first().getByText(word('sandbox.status.stopped')).waitFor()
})

longTest('copies a call as a model, a shell or a program would write it', async () => {
  const { page, server } = await openPage({
    files,
    settings: { permissions: { allow: ['Bash(printf *)'] } },
  })
  const command = String.raw`printf '%s' 'say "hi" $5 !! \ é ⏎'`
  await show(page, server.url + address('Bash', { command }))
  const as = (form: string): Locator =>
    page.getByRole('region', { name: word('sandbox.copy.text', { form }), exact: true })
  expect(await as('hermes').innerText()).toContain(
    '<tool_call>\n{"name": "Bash", "arguments": {"command": ',
  )
  await page.getByRole('radio', { name: 'mistral' }).click()
  expect(await as('mistral').innerText()).toMatch(/^\[TOOL_CALLS\]Bash\[ARGS\]\{"command": /)
  await page.getByRole('button', { name: word('sandbox.copy.all', { count: 68 }) }).click()
  await page.getByRole('combobox').fill('vcp')
  await page.getByRole('option', { name: 'vcp' }).click()
  await as('vcp').getByText('TOOL_REQUEST').first().waitFor()
  await page.getByRole('radio', { name: 'curl' }).click()
  const line = await as('curl').innerText()
  const answer = execFileSync('sh', ['-c', line], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', TOOLGLOT_TOKEN: server.token },
  })
  expect(JSON.parse(answer)).toMatchObject({ success: true, result: 'say "hi" $5 !! \\ é ⏎' })
  await page.getByRole('radio', { name: 'toolglot exec' }).click()
  expect(await as('toolglot exec').innerText()).toMatch(/^toolglot exec Bash '\{"command":/)
  await page.getByRole('radio', { name: 'mistral' }).click()
  await page.getByRole('button', { name: word('sandbox.copy.parser') }).click()
  await page.waitForURL(/\/parser#reply=/)
})

longTest(
  'a hostile schema, corrupt storage or a missing tool does not break the view',
  async () => {
    const { page, server } = await openPage({
      settings: {
        mcpServers: { evil: { command: process.execPath, args: ['-e', hostileServer()] } },
        permissions: { allow: ['mcp__evil__harm'] },
      },
    })
    await page.evaluate(
      ([folder]) => {
        const bad = { id: '1', tool: '<b>', args: [], status: 'x', text: 1 }
        localStorage.setItem(`toolglot-sandbox ${folder}`, JSON.stringify([bad, null]))
      },
      [server.folder],
    )
    await show(page, server.url + address('mcp__evil__harm'))
    const write = async (text: string): Promise<void> => {
      await page.getByRole('radio', { name: 'JSON' }).first().click()
      await writeJson(page, text)
    }
    /** No operation blocks the page, and omissions are reported. */
    const check = async (): Promise<void> => {
      await field(page, 'slow').waitFor()
      await field(page, 'slow').fill(`${'a'.repeat(40)}!`)
      await expect.poll(() => field(page, 'slow').inputValue()).toContain('!')
      await page.getByText(/\d+ more parameters aren’t shown here/).waitFor()
      expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2000)
    }
    await check()
    const deep = '{"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": "x"}}}}}}}}'
    await write(`{"deep": ${deep}, "bomb": 1, "slow": "aa", "__proto__": {"x": 1}}`)
    await write(`{"deep": ${deep}, "bomb": 1, "slow": "aa", "p999": "y"}`)
    await verdict(page, 'allow').waitFor()
    await runButton(page).click()
    await result(page).getByText('"p999":"y"').waitFor()

    // Worse than the schemas the server accepts.
    await page.route('**/api/tools?*', async (route) => {
      const answer = await route.fetch()
      const list = (await answer.json()) as { tools: { name: string; parameters: object }[] }
      const tools = list.tools.map((tool) =>
        tool.name === 'mcp__evil__harm'
          ? { ...tool, parameters: hostileSchema({ depth: 100, isWorst: true }) }
          : tool,
      )
      await route.fulfill({ json: { ...list, tools } })
    })
    await page.reload()
    await page.getByText(word('sandbox.fromLink')).waitFor()
    await check()
    await show(page, server.url + address('mcp__gone__tool'))
    await page.getByText(word('sandbox.tool.unknown', { name: 'mcp__gone__tool' })).waitFor()
  },
)
