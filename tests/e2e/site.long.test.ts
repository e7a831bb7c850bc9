// `toolglot site`, and the browser of a process that ends. The model behind the page is a fake that
// follows a script.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { logIn, type Site } from '@toolglot/agent/browser'
import { folderOf } from '../helpers/folder.ts'
import { type CommandResult, startCommand } from '../../packages/cli/test/start-command.ts'
import {
  ask,
  browserOptions,
  browserProcesses,
  newProfile,
  pageModel,
  playwright,
} from './chat-page/page-model.ts'
import { chatPage, newestIn, type PageScript } from './chat-page/server.ts'

async function environment(home: string): Promise<Record<string, string>> {
  const { executablePath = '' } = browserOptions('')
  return {
    HOME: home,
    TOOLGLOT_BROWSER: executablePath,
    TOOLGLOT_PLAYWRIGHT: playwright,
    TOOLGLOT_BROWSER_SANDBOX: 'off',
  }
}

/** Runs `toolglot site` on a site file. */
async function site(content: object, ...words: string[]): Promise<CommandResult> {
  const home = folderOf({ 'site.json': JSON.stringify(content) })
  const env = { ...(await environment(home)), NO_COLOR: '1' }
  return startCommand(['site', 'site.json', ...words], { cwd: home, env })
}

const obeys: PageScript = () => '<TOOL_CALL>ok</TOOL_CALL>'

test('a site file that works', async () => {
  const page = await chatPage(async function* () {
    yield '<TOOL_CALL>ok'
    await new Promise((resolve) => setTimeout(resolve, 1000))
    yield '</TOOL_CALL>'
  })
  const { code, output } = await site({ ...page.site, newChat: '#new' })
  const shown = output
    .replace(/profile .*/, 'profile …')
    .replace(page.site.address, 'ADDRESS')
    .replace(/in \d parts?/, 'in … parts')
  expect(shown).toBe(
    `ok       browser        opened with the profile …
ok       address        opened ADDRESS
ok       input          found
ok       newChat        clicked
ok       send           the message was sent
ok       reply          25 characters, in … parts
ok       stop           visible while the reply was written, then gone
ok       raw (network)  tags survive
`,
  )
  expect(code).toBe(0)
  expect(page.chats).toHaveLength(1)
})

test('a site file without a stop control works in a separate process', async () => {
  const page = await chatPage(obeys)
  const { stop: _, ...rest } = page.site
  const home = folderOf({ 'folder/site.json': JSON.stringify(rest) })
  expect(await command(home, ['site', 'site.json'])).toMatch(/^ok +raw \(network\) +tags survive$/m)
})

test('a page that removes tags', async () => {
  const page = await chatPage(obeys, { raw: { from: 'text' } })
  const { code, output } = await site(page.site)
  expect(output).toMatch(
    /warning +raw \(text\) +the reply does not contain <TOOL_CALL>ok<\/TOOL_CALL>, but: ok\n/,
  )
  expect(output).toMatch(/try another source in raw/)
  expect(code).toBe(0)
})

const gone: [string, Partial<Site>, RegExp][] = [
  ['input', { input: '#gone' }, /the page has: textarea\[id="input"\]/],
  ['send', { send: '#gone' }, /the page has: button\[id="send"\]/],
  ['newChat', { newChat: '#gone' }, /the page has: button\[id="new"\]/],
]

test('reports a selector without a match, and suggests others', async () => {
  // All sites are checked concurrently, so that their waits overlap.
  const results = gone.map(async ([, more]) => {
    const page = await chatPage(obeys, { ...more, limits: { load: 2000, pause: 0 } })
    return site(page.site)
  })
  for (const [at, { code, output }] of (await Promise.all(results)).entries()) {
    const [field, , advice] = gone[at]!
    expect(output).toMatch(
      new RegExp(`^broken +${field} +${field} \\(#gone\\) does not match`, 'm'),
    )
    expect(output).toMatch(advice)
    expect(code).toBe(1)
  }
})

test('each step as JSON', async () => {
  const page = await chatPage(obeys)
  page.behavior.loggedOut = true
  const { code, output } = await site(page.site, '--json')
  const steps = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; status: string; says: string })
  expect(steps.map(({ name, status }) => [name, status])).toEqual([
    ['browser', 'ok'],
    ['address', 'broken'],
  ])
  expect(steps[1]!.says).toMatch(/Nobody is logged in/)
  expect(code).toBe(1)
})

test('an invalid file, and missing parts', async () => {
  expect(await site({ address: 'http://example.org' })).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      /site\.json: address of the site file must be an address that begins with https:\/\/.*, not "http:\/\/example\.org"/,
    ),
  })
  expect(await startCommand(['site', 'none.json'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('No such site file: '),
  })
  const home = folderOf({ 'site.json': JSON.stringify((await chatPage(obeys)).site) })
  const env = { ...(await environment(home)), NO_COLOR: '1' }
  const start = (more: object): Promise<CommandResult> =>
    startCommand(['site', 'site.json'], { cwd: home, env: { ...env, ...more } })
  expect((await start({ TOOLGLOT_PLAYWRIGHT: '' })).output).toMatch(
    /broken +browser +A chat page requires playwright-core, which is not installed\. Install it with: npm install/,
  )
  expect((await start({ TOOLGLOT_BROWSER: '/nowhere/chromium' })).output).toMatch(
    /broken +browser +Cannot start Chromium at \/nowhere\/chromium/,
  )
})

test('stores the login in the profile', async () => {
  const page = await chatPage(() => 'Hello.')
  page.behavior.loggedOut = true
  const profile = newProfile()
  const person = setInterval(() => {
    // The browser was redirected to the login, whose server is listening from now on.
    if (page.loads() !== 1) return
    page.behavior.loggedOut = false
    page.behavior.cookie = true
    page.reload()
  }, 200)
  const options = browserOptions(profile)
  const waiting = logIn({ ...options, site: page.site, signal: AbortSignal.timeout(60_000) })
  await waiting.finally(() => clearInterval(person))
  page.behavior.cookie = false
  expect((await ask(pageModel(page.site, profile), 'Hi')).text).toBe('Hello.')
  expect(page.cookies().at(-1)).toContain('session=secret')
})

/** Reads package.json first, and answers with its content. */
const reads: PageScript = (texts) =>
  texts.at(-1)!.startsWith('TOOL_RESULT:')
    ? `The version is ${/\d+\.\d+\.\d+/.exec(texts.at(-1)!)?.[0]}.`
    : '<TOOL_CALL>\n{"tool": "Read", "args": {"file_path": "package.json"}}\n</TOOL_CALL>'

/** Runs the built command in another process, unless it is killed. */
async function command(
  home: string,
  words: string[],
  { input = '', onStart }: { input?: string; onStart?: (id: number) => void } = {},
): Promise<string> {
  const bin = fileURLToPath(new URL('../../packages/cli/bin/toolglot.js', import.meta.url))
  const env = { PATH: process.env['PATH'], NO_COLOR: '1', ...(await environment(home)) }
  const options = { cwd: join(home, 'folder'), env, timeout: 60_000 }
  const done = promisify(execFile)(process.execPath, [bin, ...words], options)
  done.child.stdin?.end(input)
  onStart?.(done.child.pid!)
  return (await done).stdout
}

test('the built command works through a page, and ends', async () => {
  const page = await chatPage(reads)
  const home = folderOf({
    'site.json': JSON.stringify(page.site),
    'folder/package.json': '{ "version": "1.2.3" }',
  })
  const prompt = 'Which version is in package.json?'
  const words = ['run', '-m', 'browser:../site.json', '--protocol', 'tool-call', prompt]
  expect(await command(home, words)).toContain('The version is 1.2.3.')
  expect(page.chats.map((texts) => texts.length)).toEqual([1, 3])
})

test('a chat in the terminal is a chat in the page', async () => {
  const page = await chatPage((texts) => `Reply to ${texts.length}.`)
  const home = folderOf({ 'site.json': JSON.stringify(page.site), 'folder/a': '' })
  const words = ['chat', '-m', 'browser:../site.json', '--protocol', 'tool-call']
  const output = await command(home, words, { input: 'Hello\nAnd now?\n' })
  expect(output).toMatch(/Reply to 1\.[^]*Reply to 3\./)
  expect(page.chats[1]).toEqual([expect.any(String), 'Reply to 1.', 'And now?'])
})

test('resumes a command that was killed during a reply, and does nothing twice', async () => {
  let id: number | undefined
  const page = await chatPage(async function* (texts) {
    if (!newestIn(texts).startsWith('TOOL_RESULT:'))
      return yield '<TOOL_CALL>\n{"tool": "Bash", "args": {"command": "echo once >> effects.txt"}}\n</TOOL_CALL>'
    yield 'It is '
    if (id !== undefined) {
      process.kill(id, 'SIGKILL')
      id = undefined
      await new Promise((resolve) => setTimeout(resolve, 5000))
    }
    yield 'done.'
  })
  const home = folderOf({ 'site.json': JSON.stringify(page.site), 'folder/a': '' })
  const words = ['run', '-m', 'browser:../site.json', '--allow', 'Bash(echo once >> effects.txt)']
  const protocol = ['--protocol', 'tool-call']
  const killed = command(home, [...words, ...protocol, 'Go'], { onStart: (pid) => (id = pid) })
  await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' })
  expect(await command(home, [...words, '--resume', 'last'])).toContain('It is done.')
  expect(readFileSync(join(home, 'folder/effects.txt'), 'utf8')).toBe('once\n')
  expect(page.chats.map((texts) => texts.length)).toEqual([1, 3, 1])
})

test('refuses a page in the settings of a folder, even a trusted one', async () => {
  const page = await chatPage(reads)
  const home = folderOf({
    'site.json': JSON.stringify(page.site),
    'folder/.toolglot/settings.json': '{ "model": "browser:../site.json" }',
  })
  await command(home, ['trust', '--yes'])
  await expect(command(home, ['run', 'Hello'])).rejects.toMatchObject({
    stderr: expect.stringContaining('Only you can choose that'),
  })
  expect(page.loads()).toBe(0)
})

test('a process with an open browser ends, and closes it', async () => {
  const page = await chatPage(() => 'Hello.')
  const home = folderOf()
  const program = join(home, 'program.mjs')
  const entry = new URL('../../packages/agent/dist/node/browser/index.js', import.meta.url)
  const options = { ...browserOptions(join(home, 'profile')), site: page.site }
  writeFileSync(
    program,
    `import { browserModel } from ${JSON.stringify(entry.href)}
const model = browserModel(${JSON.stringify(options)})
const messages = [{ role: 'user', content: 'Hi' }]
for await (const chunk of model.reply({ messages, signal: new AbortController().signal }))
  if (chunk.type === 'text') process.stdout.write(chunk.delta)
`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 30_000 })
  expect(stdout).toBe('Hello.')
  expect(browserProcesses(join(home, 'profile'))).toEqual([])
})
