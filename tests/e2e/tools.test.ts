import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { ended, loaded, send } from './page.ts'
import { payloads } from './payloads.ts'
import { word } from './word.ts'
import { longTest } from '../helpers/size.ts'

const mcpServer = fileURLToPath(new URL('hostile-mcp-server.mjs', import.meta.url))

/** The settings of an MCP server that lists these tools. */
function serverWith(tools: readonly object[], many: object = {}): object {
  return {
    command: process.execPath,
    args: [mcpServer],
    env: {
      TOOLS: Buffer.from(JSON.stringify(tools)).toString('base64'),
      MANY: JSON.stringify(many),
    },
  }
}

function list(page: Page): Locator {
  return page.getByRole('group', { name: word('tools.list'), exact: true })
}

function card(page: Page, name: string): Locator {
  return list(page).getByRole('button', { name, exact: true })
}

function names(page: Page): Promise<string[]> {
  return list(page).locator('[data-tool]').allInnerTexts()
}

function toggle(page: Page, name: string): Locator {
  return list(page).getByRole('switch', { name: word('tools.switch', { name }), exact: true })
}

async function openTools(page: Page, search = ''): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/tools${search}`)
  await card(page, 'Read').waitFor()
  await loaded(page)
}

describe('the discovery pane of the specification', () => {
  test('search, sort, grid and detail, a prompt in two protocols with its size, the link to the sandbox', async () => {
    const { page } = await openPage({
      settings: { permissions: { deny: ['Bash(sudo:*)'] } },
      files: { '.git/HEAD': '', '.toolglot/settings.json': '{"toolToggles": {"Grep": false}}' },
    })
    // An untrusted folder can turn tools off: the page shows the place of the setting, and does not
    // change it.
    await openTools(page, '?tool=Grep')
    const off = page.getByRole('region', { name: 'Grep', exact: true })
    await off.getByText('.toolglot/settings.json:1').waitFor()
    await off.getByText(word('tools.off.elsewhere')).waitFor()
    expect(await toggle(page, 'Grep').isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await off.waitFor({ state: 'detached' })
    // Toolkits in order, each with its tools.
    expect(await list(page).getByRole('heading').allInnerTexts()).toEqual(
      ['files', 'shell', 'person', 'web'].map((kit) => word(`tools.kit.${kit as 'files'}`)),
    )

    // Search: by name, by description, by the name of a parameter.
    const search = page.getByRole('textbox', { name: word('tools.search') })
    await page.keyboard.press('/')
    await page.keyboard.type('regular expression')
    await expect.poll(() => names(page)).toEqual(['Grep'])
    await search.fill('old_string')
    await expect.poll(() => names(page)).toEqual(['Edit'])
    await search.fill('no such tool')
    await page.getByText(word('tools.nothing')).waitFor()
    await page.getByRole('button', { name: word('tools.nothing.clear') }).click()

    // Sort and filter.
    await page.getByRole('radio', { name: word('tools.sort.parameters') }).click()
    await expect.poll(async () => (await names(page))[0]).toBe('Grep')
    await page.getByRole('radio', { name: word('tools.sort.name') }).click()
    const byName = await names(page)
    expect(byName).toEqual([...byName].sort((one, other) => one.localeCompare(other, 'en')))
    await page.getByRole('combobox', { name: word('tools.filter') }).selectOption('asks')
    await expect.poll(() => names(page)).toEqual(byName.filter((name) => ASKING.includes(name)))
    await page.getByRole('combobox', { name: word('tools.filter') }).selectOption('all')
    await page.getByRole('radio', { name: word('tools.sort.toolkit') }).click()

    // Details, with their own address.
    await card(page, 'Bash').click()
    await expect.poll(() => new URL(page.url()).search).toBe('?tool=Bash')
    const detail = page.getByRole('region', { name: 'Bash', exact: true })
    await detail.getByText('Bash(sudo:*)').waitFor()
    const parameters = detail.getByRole('table')
    await parameters.getByRole('row', { name: /^command required string/ }).waitFor()

    // The model's prompt in one protocol and in another, each with its size.
    const prompt = detail.getByRole('region', { name: word('tools.prompt') })
    await expect.poll(() => prompt.innerText()).toContain('"name": "Bash"')
    const size = detail.getByText(/characters · about [\d,]+ tokens/)
    const sizes = [await size.innerText()]
    await detail.getByRole('button', { name: /^Protocol: hermes/ }).click()
    await page.keyboard.type('vcp')
    await page.getByRole('option', { name: /^vcp/ }).first().click()
    await expect.poll(() => prompt.innerText()).toContain('TOOL_REQUEST')
    sizes.push(await size.innerText())
    expect(sizes[0]).not.toBe(sizes[1])
    await detail.getByRole('radio', { name: word('tools.prompt.all') }).click()
    await expect.poll(() => size.innerText()).not.toBe(sizes[1])
    sizes.push(await size.innerText())
    console.log(`Bash in hermes, in vcp, and all tools in vcp: ${sizes.join('; ')}`)
    const call = detail.getByRole('region', { name: word('tools.call') })
    expect(await call.innerText()).toContain('tool_name:「始」Bash「末」')

    // The tool opens in the sandbox through its link, or with a second Enter.
    const link = detail.getByRole('link', { name: word('tools.try') })
    expect(await link.getAttribute('href')).toBe('/sandbox?tool=Bash')
    await card(page, 'Bash').press('Enter')
    await page.waitForURL(/\/sandbox\?tool=Bash$/)
    await page.goBack()
    await detail.waitFor()
    await page.goBack()
    await detail.waitFor({ state: 'detached' })
  })

  longTest('a disabled tool stays off, and is missing in the next prompt', async () => {
    const { page, model, server } = await openPage()
    const settings = (): unknown =>
      JSON.parse(readFileSync(join(server.home, '.config/toolglot/settings.json'), 'utf8'))
    const prompt = (): string => model.requests.at(-1)![0]!.content
    await send(page, 'Hello')
    await ended(page)
    expect(prompt()).toContain('"name": "WebFetch"')

    await openTools(page)
    await toggle(page, 'WebFetch').click()
    await toggle(page, 'Bash').click()
    await expect.poll(settings).toMatchObject({ toolToggles: { WebFetch: false, Bash: false } })
    await page.reload()
    await card(page, 'Read').waitFor()
    await expect.poll(() => toggle(page, 'WebFetch').getAttribute('aria-checked')).toBe('false')
    await page.getByText(word('tools.about', { enabled: '9', total: '14' })).waitFor()

    // Keys move the focus to the tool. The space bar opens it, like any button, and scrolls; it
    // does not toggle the tool.
    await card(page, 'BashOutput').focus()
    await card(page, 'BashOutput').press('Enter')
    await page.keyboard.press('k')
    await expect.poll(() => new URL(page.url()).search).toBe('?tool=Bash')
    await expect
      .poll(() => card(page, 'Bash').evaluate((at) => at === document.activeElement))
      .toBe(true)
    await page.keyboard.press('Space')
    // Checked after each change: two changes would cancel each other.
    expect(await toggle(page, 'Bash').getAttribute('aria-checked')).toBe('false')
    await page.getByRole('region', { name: 'Bash', exact: true }).click()
    await page.keyboard.press('Space')
    expect(await toggle(page, 'Bash').getAttribute('aria-checked')).toBe('false')
    await toggle(page, 'Bash').press('Space')
    await expect
      .poll(settings)
      .toEqual(expect.objectContaining({ toolToggles: { WebFetch: false } }))
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).search).toBe('')

    await page.goto(`${new URL(page.url()).origin}/chat`)
    await send(page, 'Hello again')
    await ended(page)
    expect(prompt()).toContain('"name": "Bash"')
    expect(prompt()).not.toContain('WebFetch"')
  })
})

const ASKING = ['Bash', 'BashInput', 'Edit', 'WebFetch', 'WebSearch', 'Write']

longTest('shows why an MCP server is down, and text of a hostile one as plain text', async () => {
  const kinds = new Map(payloads.map(({ kind, text }) => [kind, text]))
  const tools = [
    ...[...kinds.values()].map((text, at) => ({
      name: `tool ${at} ${text}`,
      description: `${text}\u202e`,
      inputSchema: {
        type: 'object',
        properties: {
          [text]: { type: 'string', description: text, enum: [text], default: text },
        },
      },
    })),
    { name: 'loop', description: 'x'.repeat(20_000), inputSchema: LOOP },
  ]
  const { page } = await openPage({
    settings: {
      mcpServers: {
        evil: serverWith(tools),
        large: serverWith([], { count: 5000, length: 1000 }),
        down: { command: '/no/such/program' },
      },
    },
  })
  await openTools(page)
  await page.goto(`${page.url()}?tool=mcp__evil__loop`)
  const search = page.getByRole('textbox', { name: word('tools.search') })
  // A recursive schema becomes a finite table.
  const detail = page.getByRole('region', { name: 'mcp__evil__loop' })
  await detail.getByRole('table').getByText('(string | object)[]').waitFor()
  await search.fill('mcp__evil__tool_')
  for (const name of (await names(page)).slice(0, 3)) {
    await card(page, name).click()
    await page.getByRole('region', { name, exact: true }).getByRole('table').waitFor()
  }
  expect(await page.evaluate(() => (window as { ran?: unknown }).ran)).toBeUndefined()

  // Hundreds of tools: only visible ones are drawn.
  await search.fill('')
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  const before = Date.now()
  await list(page).evaluate((at) => at.scrollTo(0, at.scrollHeight))
  await list(page).getByText('many_', { exact: false }).first().waitFor()
  console.log(`${nodes} nodes; ${Date.now() - before} ms to the end of the list`)
  expect(nodes).toBeLessThan(2000)

  // The toggle for all tools of a server, and the server that is down.
  await list(page).evaluate((at) => at.scrollTo(0, 0))
  await search.fill('mcp__large__many_1')
  const kit = list(page).getByRole('switch', {
    name: word('tools.kit.switch', { name: 'large' }),
  })
  await kit.click()
  await expect.poll(() => kit.getAttribute('aria-checked')).toBe('false')
  await search.fill('')
  await list(page).evaluate((at) => at.scrollTo(0, 0))
  await expect
    .poll(async () => {
      await list(page).evaluate((at) => at.scrollBy(0, 300))
      return await list(page).getByText(word('settings.mcp.failed')).count()
    })
    .toBeGreaterThan(0)
  await list(page)
    .getByRole('button', { name: word('settings.mcp.restart') })
    .first()
    .click()
  await list(page).getByText(word('settings.mcp.restarting')).waitFor({ state: 'detached' })
})

const LOOP = {
  type: 'object',
  properties: { node: { $ref: '#/$defs/node' } },
  $defs: {
    node: {
      type: 'object',
      properties: {
        children: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/node' }] },
        },
      },
    },
  },
}
