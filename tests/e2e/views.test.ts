// npm test checks each view once, alternating between a wide screen and a dark phone. npm run
// test:page checks every width in both themes. SCREENSHOTS=1 (npm run screenshots) also writes
// docs/screenshots.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { isLong, longTest, share } from '../helpers/size.ts'
import { type OpenPage, openPage } from './harness.ts'
import { card, conversation, ended, loaded, send } from './page.ts'
import { call, type Script } from './scripted-model.ts'
import { smallPng } from './small-png.ts'
import { word } from './word.ts'

const writesScreenshots = process.env['SCREENSHOTS'] === '1'
const looksEverywhere = isLong || writesScreenshots
const screenshots = join(import.meta.dirname, '../../docs/screenshots')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const looks = [
  { name: 'light', scheme: 'light', width: 1280, height: 800 },
  ...(looksEverywhere
    ? ([
        { name: 'dark', scheme: 'dark', width: 1280, height: 800 },
        { name: 'phone', scheme: 'light', width: 390, height: 844 },
      ] as const)
    : []),
  { name: 'phone-dark', scheme: 'dark', width: 390, height: 844 },
] as const

/** A view in one of its states. */
interface View {
  readonly name: string
  readonly prepare: (open: OpenPage) => Promise<unknown>
  /** Leaves the view, if a dialog is open over it. */
  readonly leave?: (open: OpenPage) => Promise<unknown>
}

const files = {
  'package.json':
    '{\n  "name": "tide",\n  "version": "1.2.3",\n  "scripts": { "test": "vitest run" }\n}\n',
  'src/server.ts':
    "import { createServer } from 'node:http'\n\nconst port = 8080\n\ncreateServer().listen(port)\n",
  'README.md': '# tide\n\nA small server.\n',
  // A folder next to it.
  '../cloned/.toolglot/settings.json': JSON.stringify({
    permissions: { allow: ['Bash(npm test)', 'Bash(curl *)'] },
    mcpServers: { tickets: { command: 'node', args: ['tickets.mjs'] } },
  }),
}
const settings = {
  permissions: { allow: ['Bash(ls *)', 'Bash(git status)'], deny: ['Bash(rm -rf *)'] },
}

/** Replies by the first message of the conversation. */
const replies: Readonly<Record<string, Script>> = {
  'What is in this folder?': (_, turn) =>
    [
      `<think>I should look at the files first.</think>\nI look at the folder and its manifest.\n${call('Bash', { command: 'ls -la src' })}\n${call('Read', { file_path: 'package.json' })}`,
      `${call('Read', { file_path: 'missing.md' })}`,
      'This folder contains **tide 1.2.3**, a small server:\n\n| file | what it is |\n|---|---|\n| `src/server.ts` | listens on port 8080 |\n| `README.md` | one line about it |\n\n1. `npm test` runs the tests.\n2. Nothing else is needed.\n\n```ts\ncreateServer().listen(port)\n```\n\nMore: [the documentation](https://example.com/docs).',
    ][turn]!,
  'Run the tests, and change the port to 9090.': (_, turn) =>
    turn === 0
      ? call('Read', { file_path: 'src/server.ts' })
      : [
          'Two things need your approval.',
          call('Bash', { command: 'npm test && git push origin main' }),
          call('Edit', {
            file_path: 'src/server.ts',
            old_string: 'const port = 8080',
            new_string: 'const port = 9090',
          }),
        ].join('\n'),
  'Which database should I use?': () =>
    call('AskUserQuestion', {
      questions: [
        {
          question: 'Which database should it be?',
          header: 'Database',
          options: [
            { label: 'SQLite', description: 'One file, nothing to install' },
            { label: 'PostgreSQL', description: 'A server, for many writers' },
          ],
        },
      ],
    }),
  'Never stop.': (messages, turn) =>
    messages.some(({ content }) => content.includes('<tools>'))
      ? call('Bash', { command: ['ls -la', 'ls -la src', 'ls -la .'][turn % 3]! })
      : 'I looked three times.',
  'Write a long text.': async function* () {
    yield '## A long text\n\nIt begins '
    yield `here.\n${call('Read', { file_path: 'README.md' }).slice(0, 60)}`
    await new Promise(() => {})
  },
}
const script: Script = (messages, turn) => {
  const first = messages.find(({ role }) => role === 'user')!.content
  for (const [prompt, reply] of Object.entries(replies))
    if (first.includes(prompt)) return reply(messages, turn)
  return 'Done.'
}

const at =
  (path: string) =>
  async ({ page, server }: OpenPage) => {
    await page.goto(server.url + path)
    await loaded(page)
  }
const asking =
  (prompt: string, until: (page: Page) => Promise<unknown>) => async (open: OpenPage) => {
    await at('/chat')(open)
    await send(open.page, prompt)
    await until(open.page)
  }
/** The first recorded run. */
const ofRun = (search: string) => async (open: OpenPage) => {
  const answer = await open.server.ask('/api/runs')
  const run = ((await answer.json()) as { run: string }[]).at(-1)!.run
  await at(`/runs/${run}?${search}`)(open)
}
const escape = ({ page }: OpenPage): Promise<void> => page.keyboard.press('Escape')

const views: readonly View[] = [
  { name: 'new-chat', prepare: at('/chat') },
  { name: 'chat', prepare: asking('What is in this folder?', ended) },
  {
    name: 'approvals',
    prepare: asking('Run the tests, and change the port to 9090.', (page) =>
      card(page, 'Edit').waitFor(),
    ),
  },
  {
    name: 'question',
    prepare: asking('Which database should I use?', (page) =>
      page.getByRole('group', { name: word('approvals.card.question') }).waitFor(),
    ),
  },
  { name: 'limit', prepare: asking('Never stop.', ended) },
  {
    name: 'writing',
    prepare: asking('Write a long text.', (page) =>
      conversation(page).getByText('It begins').waitFor(),
    ),
  },
  {
    name: 'palette',
    prepare: async (open) => {
      await at('/chat')(open)
      await open.page.keyboard.press('Control+k')
      await open.page.getByRole('option').first().waitFor()
    },
    leave: escape,
  },
  {
    name: 'keys',
    prepare: async (open) => {
      await at('/settings/look')(open)
      await open.page.locator('h1').first().click()
      await open.page.keyboard.press('?')
      await open.page.getByRole('dialog').waitFor()
    },
    leave: escape,
  },
  {
    name: 'untrusted-folder',
    prepare: async (open) => {
      await at(`/chat?folder=${encodeURIComponent(join(open.server.home, 'code/cloned'))}`)(open)
      await open.page
        .getByRole('button', { name: word('shell.review'), exact: true })
        .first()
        .click()
      await open.page.getByRole('dialog').getByText('tickets.mjs').first().waitFor()
    },
    leave: escape,
  },
  { name: 'tools', prepare: at('/tools') },
  { name: 'tool', prepare: at('/tools?tool=Bash') },
  { name: 'sandbox', prepare: at('/sandbox') },
  {
    name: 'sandbox-result',
    prepare: async (open) => {
      await at(`/sandbox?tool=Read&arguments=${encodeURIComponent('{"file_path":"README.md"}')}`)(
        open,
      )
      await open.page
        .getByRole('button', { name: new RegExp(`^${word('sandbox.run')}\\b`) })
        .click()
      await open.page.getByText('A small server.').first().waitFor()
    },
  },
  { name: 'parser-empty', prepare: at('/parser') },
  ...(['reading', 'compare', 'draw'] as const).map((tab) => ({
    name: `parser-${tab}`,
    prepare: async (open: OpenPage) => {
      await at('/parser')(open)
      // The text of the previous view is still there.
      const clear = open.page.getByRole('button', { name: word('parser.clear'), exact: true })
      if (await clear.isVisible()) await clear.click()
      await open.page.getByRole('button', { name: word('parser.sample.repaired') }).click()
      await open.page.getByText(word('parser.kind.made-up')).first().waitFor()
      if (tab !== 'reading')
        await open.page.getByRole('radio', { name: word(`parser.tab.${tab}`) }).click()
      await loaded(open.page)
    },
  })),
  { name: 'runs', prepare: at('/runs') },
  { name: 'run', prepare: ofRun('turn=1') },
  { name: 'run-prompts', prepare: ofRun('turn=1&with=0') },
  { name: 'run-replay', prepare: ofRun('at=12') },
  { name: 'statistics', prepare: at('/statistics') },
  { name: 'gateway', prepare: at('/gateway') },
  ...share(
    ['models', 'permissions', 'folders', 'mcp', 'sandbox', 'limits', 'look', 'all'],
    writesScreenshots ? 1 : 3,
  ).map((name) => ({
    name: `settings-${name}`,
    prepare: at(`/settings/${name}`),
  })),
  { name: 'no-such-run', prepare: at('/chats/run-0000000000') },
  {
    name: 'logged-out',
    prepare: async (open) => {
      await open.page.context().clearCookies()
      await open.page.goto(`${open.server.url}/chat`)
      await open.page.getByRole('heading', { name: word('shell.loggedOut') }).waitFor()
    },
  },
]

test('no view has a serious accessibility problem, light and dark, wide and on a phone', async () => {
  const open = await openPage({
    files,
    settings: { ...settings, limits: { maxIterations: 3 } },
    folder: 'code/tide',
    script,
  })
  // Two of the views are about requests for missing things and requests without a login.
  open.expectProblem(/40[14]/)
  const { page } = open
  if (writesScreenshots) mkdirSync(screenshots, { recursive: true })
  const found: string[] = []
  for (const [at, { name, prepare, leave }] of views.entries()) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'light' })
    await prepare(open)
    for (const look of looksEverywhere ? looks : [looks[at % looks.length]!]) {
      await page.emulateMedia({ colorScheme: look.scheme })
      await page.setViewportSize({ width: look.width, height: look.height })
      await drawn(page)
      for (const problem of await problemsOf(page)) found.push(`${name}, ${look.name}: ${problem}`)
      if (writesScreenshots)
        writeFileSync(
          join(screenshots, `${name}-${look.name}.png`),
          smallPng(await page.screenshot()),
        )
    }
    await leave?.(open)
  }
  expect(found).toEqual([])
}, 600_000)

/** Waits until the page is drawn, and no color or position changes any more. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done))
    await frame()
    await frame()
    const changes = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(changes.map(({ finished }) => finished))
    await frame()
  })
}

/** Serious problems found by axe, with the affected elements. */
async function problemsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const { violations } = await page.evaluate(async (): Promise<AxeResults> =>
    (window as unknown as { axe: typeof import('axe-core') }).axe.run(document, {
      resultTypes: ['violations'],
    }),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) =>
          `${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1]?.trim() ?? ''}`,
      ),
    )
}

longTest('the first load is at most 400 KB, compressed', async () => {
  const { page, server } = await openPage()
  await page.getByRole('textbox', { name: word('compose.message') }).waitFor()
  const paths = await page.evaluate(async () => {
    await document.fonts.ready
    const names = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
    return [...new Set(names)].filter((path) => path.startsWith('/assets/'))
  })
  const sizes = await Promise.all(
    ['/chat', ...paths].map(async (path) => {
      const body = Buffer.from(await (await server.ask(path)).arrayBuffer())
      return path.endsWith('.woff2') ? body.length : gzipSync(body, { level: 9 }).length
    }),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`first load: ${(total / 1024).toFixed(1)} KB of 400, in ${sizes.length} files`)
  expect(paths.some((path) => path.endsWith('.js'))).toBe(true)
  expect(paths.some((path) => path.endsWith('.css'))).toBe(true)
  expect(total).toBeLessThanOrEqual(400 << 10)
})
