// A chat page in a real browser as a model. The model behind the page is a fake that follows a script.
import { setTimeout as wait } from 'node:timers/promises'
import { collect, type Message, ModelError, run, tool } from '@toolglot/agent'
import type { Site } from '@toolglot/agent/browser'
import { memoryJournal } from '@toolglot/agent/journal'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, killBrowser, newProfile, pageModel } from './chat-page/page-model.ts'
import { chatPage, newestIn, type PageBehavior } from './chat-page/server.ts'

/**
 * The time that a test waits to check that nothing arrives, in milliseconds. Expected data must
 * arrive sooner, even on a busy machine.
 */
const PATIENCE = 4000

const CALL = '<TOOL_CALL>\n{"tool": "read_file", "args": {"path": "a.ts"}}\n</TOOL_CALL>'
const MARKDOWN = `I **read** it:\n\n${CALL}\n\n- one\n- two`

describe.concurrent('the text of a reply is read exactly', () => {
  test('from the network, as it streams', async () => {
    const first = gate()
    const page = await chatPage(async function* () {
      yield MARKDOWN.slice(0, 30)
      await first.opened
      yield MARKDOWN.slice(30)
    })
    const model = pageModel(page.site)
    const parts: string[] = []
    for await (const chunk of model.reply(request('Read a.ts'))) {
      if (chunk.type !== 'text' || chunk.delta === '') continue
      parts.push(chunk.delta)
      first.open()
    }
    expect(parts[0]).toBe(MARKDOWN.slice(0, 30))
    expect(parts.join('')).toBe(MARKDOWN)
    expect(page.chats).toEqual([['Read a.ts']])
  })

  test('from the network, if each line has the whole text', async () => {
    const page = await chatPage(() => MARKDOWN, {
      raw: { from: 'network', url: '/api/answer', text: 'text', events: 'lines', whole: true },
    })
    page.behavior.lines = true
    expect((await ask(pageModel(page.site), 'Read a.ts')).text).toBe(MARKDOWN)
  })

  test.each(['old', undefined] as const)('from a copy button (%s)', async (copy) => {
    const page = await chatPage(() => MARKDOWN, { raw: { from: 'copy', button: '.copy' } })
    if (copy) page.behavior.copy = copy
    expect((await ask(pageModel(page.site), 'Read a.ts')).text).toBe(MARKDOWN)
  })

  test('from code blocks', async () => {
    const reply = `I **read** it:\n\n\`\`\`\nCALL\n${CALL}\n\`\`\`\n\nand\n\n\`\`\`ts\nconst a = 1 < 2\n\`\`\``
    const page = await chatPage(() => reply, { raw: { from: 'code' } })
    const { text } = await ask(pageModel(page.site), 'Read a.ts')
    expect(text).toBe(`I read it:\n\n${CALL}\n\nand\n\n\`\`\`\nconst a = 1 < 2\n\`\`\``)
    expect(page.chats[0]![0]).toMatch(/whose first line is CALL[^]*\n\nRead a\.ts$/)
  })

  test('from the visible text, without tags that the page removes', async () => {
    const page = await chatPage(() => MARKDOWN, { raw: { from: 'text' } })
    const { text } = await ask(pageModel(page.site), 'Read a.ts')
    expect(text).toContain('I read it:')
    expect(text).not.toContain('TOOL_CALL')
  })

  test('once an element shows that it is finished, if there is no stop control', async () => {
    const page = await chatPage(
      async function* () {
        yield 'Not '
        await wait(400)
        yield 'yet.'
      },
      { finished: '.copy', raw: { from: 'text' } },
    )
    const model = pageModel(without(page.site, 'stop'))
    expect((await ask(model, 'Done?')).text).toBe('Not yet.')
  })
})

describe.concurrent('a text is entered unchanged', () => {
  const text = 'First\n\n  indented <b>&amp;</b>\n\ttab, "quotes" \\n\nEmoji 👩‍💻, Việt, {{x}}\nlast'

  test.each<[string, PageBehavior, Partial<Site>]>([
    ['into a textarea', {}, {}],
    ['into a textarea, sent by a key', {}, { key: 'Enter' }],
    ['into an editor', { editor: true }, {}],
    ['into an editor that only takes what is pasted', { editor: 'paste' }, {}],
  ])('%s', async (_, behavior, more) => {
    const page = await chatPage(() => 'ok', more)
    Object.assign(page.behavior, behavior)
    const site = more.key === undefined ? page.site : without(page.site, 'send')
    await ask(pageModel(site), text)
    const lines = (all: string): string[] =>
      all
        .replaceAll('\u00a0', ' ')
        .split('\n')
        .map((line) => line.replaceAll('\t', ' '))
        .filter((line) => line.trim() !== '')
    expect(page.chats).toHaveLength(1)
    expect(lines(page.chats[0]![0]!)).toEqual(lines(text))
    if (!behavior.editor) expect(page.chats[0]![0]).toBe(text)
  })

  test('or not at all', async () => {
    const page = await chatPage(() => 'ok')
    const short = { ...page.site, limits: { ...page.site.limits, characters: 10 } }
    await expect(ask(pageModel(short), 'x'.repeat(11))).rejects.toMatchObject({
      problem: 'context_overflow',
      message: expect.stringContaining(
        'accepts at most 10 characters per message, but this one has 11',
      ),
    })
    page.behavior.maxLength = 100
    await expect(ask(pageModel(page.site), 'y'.repeat(200))).rejects.toMatchObject({
      problem: 'context_overflow',
      message: expect.stringContaining(
        'accepted only 100 of 200 characters. Set limits.characters',
      ),
    })
    expect(page.chats).toEqual([])
  })
})

/** The files of a folder that does not exist. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{\n  "name": "my-app",\n  "version": "1.0.0"\n}',
  'src/index.ts': '',
  'src/utils.ts': '',
  'test/test.ts': '',
}

const readFile = tool({
  name: 'read_file',
  description: 'Read content of a file',
  parameters: z.object({ path: z.string() }),
  readOnly: true,
  execute({ path }) {
    const content = FILES[path]
    if (content === undefined) throw new Error(`File not found: ${path}`)
    return { content, lines: content.split('\n').length }
  },
})

const listFiles = tool({
  name: 'list_files',
  description: 'List files in directory',
  parameters: z.object({ directory: z.string(), pattern: z.string().optional() }),
  readOnly: true,
  execute() {
    const files = Object.keys(FILES).filter((name) => name.endsWith('.ts'))
    return { files, count: files.length }
  },
})

function callOf(name: string, args: object, reasoning: string): string {
  return `<TOOL_CALL>\n${JSON.stringify({ tool: name, args, reasoning }, null, 2)}\n</TOOL_CALL>`
}

/**
 * Replies like a model that was told to use `<TOOL_CALL>`: a call first, then an answer from its
 * result.
 */
function codingAssistant(texts: readonly string[]): string {
  const last = newestIn(texts)
  if (last.startsWith('TOOL_RESULT:')) {
    if (last.includes('1.0.0')) return 'The version in package.json is 1.0.0'
    if (last.includes('src/utils.ts'))
      return 'I found 3 TypeScript files:\n1. src/index.ts\n2. src/utils.ts\n3. test/test.ts'
    if (last.includes('File not found'))
      return 'I cannot read missing-file.txt because the file does not exist. Would you like me to create it?'
    return 'I do not understand the result.'
  }
  if (last.includes('and tell me the version'))
    return callOf('read_file', { path: 'package.json' }, 'Need to read package.json to get version')
  if (last.includes('count them'))
    return callOf('list_files', { directory: '.', pattern: '**/*.ts' }, 'Need to list all files')
  return callOf('read_file', { path: 'missing-file.txt' }, 'Need to read the file content')
}

describe.concurrent('a run through a page', () => {
  test.each([
    ['Read package.json and tell me the version', /1\.0\.0/, 'success', 'network'],
    [
      'Find all TypeScript files and count them',
      /3 TypeScript files[^]*3\. test\/test\.ts/,
      'success',
      'copy',
    ],
    ['Read missing-file.txt', /does not exist\. Would you like/, 'error', 'network'],
  ] as const)('%s', async (prompt, answer, status, from) => {
    const page = await chatPage(codingAssistant, {
      ...(from === 'copy' && { raw: { from, button: '.copy' } }),
    })
    const model = pageModel(page.site)
    const result = await collect(
      run({ model, tools: [readFile, listFiles], protocol: 'tool-call', prompt }),
    )
    expect(result.reason).toBe('answer')
    expect(result.text).toMatch(answer)
    expect(result.calls.map((call) => call.outcome.status)).toEqual([status])
    // In one chat: the result is its second message, and the call between them is preserved.
    const [first, second] = page.chats
    expect(page.chats).toHaveLength(2)
    expect(first![0]).toContain('- read_file(path: string)')
    expect(second).toEqual([first![0], expect.stringMatching(/^<TOOL_CALL>/), expect.any(String)])
    expect(second![2]).toMatch(/^TOOL_RESULT: /)
    expect(page.loads()).toBe(1)
  })

  test('code blocks preserve calls where other forms are lost', async () => {
    const fenced = (texts: readonly string[]): string =>
      codingAssistant(texts).replace(/<TOOL_CALL>[^]*<\/TOOL_CALL>/, '```\nCALL\n$&\n```')
    const page = await chatPage(fenced, { raw: { from: 'code' } })
    const result = await collect(
      run({
        model: pageModel(page.site),
        tools: [readFile, listFiles],
        protocol: 'tool-call',
        prompt: 'Read package.json and tell me the version',
      }),
    )
    expect(result).toMatchObject({ reason: 'answer', text: 'The version in package.json is 1.0.0' })
  })

  test('killing the browser in the middle of a turn duplicates nothing', async () => {
    const profile = newProfile()
    let isKilled = false
    const page = await chatPage(async function* (texts) {
      if (!newestIn(texts).startsWith('TOOL_RESULT:')) return yield callOf('count', {}, 'once')
      yield 'Counted'
      if (!isKilled) {
        isKilled = true
        killBrowser(profile)
        await wait(5000)
      }
      yield ' once.'
    })
    let counted = 0
    const count = tool({
      name: 'count',
      description: 'Count',
      parameters: z.object({}),
      execute: () => ++counted,
    })
    const journal = memoryJournal()
    const options = {
      model: pageModel(page.site, profile),
      tools: [count],
      protocol: 'tool-call',
      permissions: { allow: ['count'] },
      journal,
      id: 'one',
    } as const
    const failed = await collect(run({ ...options, prompt: 'Count', limits: { maxRetries: 0 } }))
    expect(failed).toMatchObject({ reason: 'model_error' })
    expect(failed.error).toMatch(/was closed or crashed/)
    const resumed = await collect(run({ ...options, resume: true }))
    expect(resumed).toMatchObject({ reason: 'answer', text: 'Counted once.' })
    expect(counted).toBe(1)
    // The whole conversation was sent again, in a new chat.
    expect(page.chats.map((texts) => texts.length)).toEqual([1, 3, 1])
    expect(page.chats[2]![0]).toMatch(
      /<\|from assistant\|>\n<TOOL_CALL>[^]*TOOL_RESULT: [^]*<\|from assistant\|>\n$/,
    )
  })

  test('a run reopens a browser that was killed', async () => {
    const profile = newProfile()
    let replies = 0
    const page = await chatPage(async function* () {
      yield 'Half'
      if (replies++ === 0) {
        killBrowser(profile)
        await wait(5000)
      }
      yield ' and half.'
    })
    const model = pageModel(page.site, profile)
    const result = await collect(run({ model, tools: [], prompt: 'Go' }))
    expect(result).toMatchObject({ reason: 'answer', text: 'Half and half.' })
  })
})

describe.concurrent('a chat continues', () => {
  const hello: Message[] = [{ role: 'user', content: 'Hello' }]
  const next = (...more: Message[]): Message[] => [...hello, ...more]

  async function twice(
    messages: readonly Message[],
    between: (page: Awaited<ReturnType<typeof chatPage>>) => void = () => {},
  ) {
    const page = await chatPage((texts) => `Reply to ${texts.length} messages`)
    const model = pageModel(page.site)
    await collect(run({ model, tools: [], messages: hello }))
    between(page)
    await collect(run({ model, tools: [], messages }))
    return page
  }

  const reply = { role: 'assistant', content: 'Reply to 1 messages' } as const
  const more = { role: 'user', content: 'More' } as const

  test('if the page contains exactly the messages sent so far', async () => {
    const page = await twice(next(reply, more))
    expect(page.chats[1]).toEqual(['Hello', 'Reply to 1 messages', 'More'])
  })

  test('or starts again if the history is different', async () => {
    const page = await twice(next({ ...reply, content: 'Something else' }, more))
    expect(page.chats[1]).toHaveLength(1)
    expect(page.chats[1]![0]).toContain('Something else')
  })

  test('two conversations at once use two tabs', async () => {
    const both = gate()
    const page = await chatPage(async function* (texts) {
      if (page.chats.length === 2) both.open()
      await both.opened
      yield `You said: ${texts[0]}`
    })
    const model = pageModel(page.site)
    const replies = await Promise.all([ask(model, 'one'), ask(model, 'two')])
    expect(replies.map(({ text }) => text)).toEqual(['You said: one', 'You said: two'])
  })
})

test('aborting presses stop, and the next message works', async () => {
  const started = gate()
  let replies = 0
  const page = await chatPage(async function* () {
    yield 'Some text. '
    if (replies++ > 0) return
    started.open()
    await wait(5000)
  })
  const model = pageModel(page.site)
  const stopping = new AbortController()
  void started.opened.then(() => stopping.abort(new Error('enough')))
  await expect(ask(model, 'Write', { signal: stopping.signal })).rejects.toThrow('enough')
  await expect.poll(page.stops).toBe(1)
  expect((await ask(model, 'Again')).text).toBe('Some text. ')
})

describe.concurrent('problems are errors with advice', () => {
  const wrong: [string, Partial<Site>, string, RegExp][] = [
    ['input', { input: '#nothing' }, 'refused', /input \(#nothing\) does not match a textarea/],
    ['input of another kind', { input: '#new' }, 'refused', /input \(#new\) does not match/],
    ['send', { send: '#nothing' }, 'refused', /send \(#nothing\) does not match a control/],
    [
      'reply',
      { reply: '.nothing', raw: { from: 'text' } },
      'refused',
      /No reply .* matched reply \(\.nothing\) within 4 s/,
    ],
    ['newChat', { newChat: '#nothing' }, 'refused', /newChat \(#nothing\) does not match/],
    [
      'raw.button',
      { raw: { from: 'copy', button: '#nothing' } },
      'refused',
      /raw\.button \(#nothing\) does not match/,
    ],
    [
      'raw.button that copies nothing',
      { raw: { from: 'copy', button: '#new' } },
      'refused',
      /raw\.button \(#new\) copied nothing/,
    ],
    [
      'raw.url',
      { raw: { from: 'network', url: '/v2', text: 'delta.text' } },
      'refused',
      /contains raw\.url \(\/v2\)\. It requested http:\/\/127\.0\.0\.1:\d+\/api\/answer/,
    ],
    [
      'raw.text',
      { raw: { from: 'network', url: '/api/answer', text: 'delta.content' } },
      'refused',
      /No text at raw\.text \(delta\.content\)[^]*events without it/,
    ],
    ['not a selector', { stop: '##' }, 'refused', /stop is not a CSS selector: ##/],
    ['finished', { finished: '#nothing' }, 'refused', /matches finished \(#nothing\)/],
  ]
  test.each(wrong)('%s matches nothing', async (_, more, problem, message) => {
    const limits = { pause: 0, settle: 100, load: PATIENCE, start: PATIENCE }
    const page = await chatPage(() => 'Hello.', { ...more, limits })
    await expect(ask(pageModel(page.site), 'Hi')).rejects.toMatchObject({
      problem,
      message: expect.stringMatching(message),
    })
  })

  const behaviors: [string, PageBehavior, Partial<ModelError>, RegExp][] = [
    [
      'logged out',
      { loggedOut: true },
      { problem: 'refused' },
      /Nobody is logged in to chat-page\. Log in with: toolglot site FILE --login/,
    ],
    [
      'an HTML error',
      { status: 502 },
      { problem: 'unavailable', status: 502 },
      /answered with status 502/,
    ],
    [
      'a page that refuses',
      { status: 403 },
      { problem: 'refused', status: 403 },
      /set window to true/,
    ],
    [
      'too many requests',
      { status: 429 },
      { problem: 'rate_limited', retryAfter: 1 },
      /status 429/,
    ],
    [
      'an answer that is HTML',
      { html: true },
      { problem: 'garbled' },
      /not a stream of server-sent events[^]*<!doctype/,
    ],
    ['an answer that fails', { answerStatus: 500 }, { problem: 'unavailable' }, /chat-page/],
    [
      'a rate limit',
      { answerStatus: 429 },
      { problem: 'rate_limited', retryAfter: 1 },
      /Wait, then resume the run/,
    ],
    [
      'another layout',
      { layout: 'new' },
      { problem: 'refused' },
      /input \(#input\) does not match/,
    ],
  ]
  test.each(behaviors)('%s', async (_, behavior, error, message) => {
    const page = await chatPage(() => 'Hello.')
    Object.assign(page.behavior, behavior)
    const site = { ...page.site, limits: { ...page.site.limits, load: PATIENCE } }
    await expect(ask(pageModel(site), 'Hi')).rejects.toMatchObject({
      ...error,
      message: expect.stringMatching(message),
    })
  })

  test('gives up a page that hangs, and uses the next one', async () => {
    const page = await chatPage(() => 'Hello.')
    page.behavior.hostile = 'hangs'
    const model = pageModel(page.site, newProfile())
    const asking = ask(model, 'Hi', { idleTimeout: 500 })
    await expect(asking).rejects.toMatchObject({ problem: 'idle' })
    delete page.behavior.hostile
    expect((await ask(model, 'Hi')).text).toBe('Hello.')
  })

  test('handles a page that lies about itself', async () => {
    const page = await chatPage(() => 'Hello.', { limits: { pause: 0, load: 1500, start: 1500 } })
    page.behavior.hostile = 'lies'
    await expect(ask(pageModel(page.site), 'Hi')).rejects.toBeInstanceOf(ModelError)
  })

  test('sends nothing to a page that redirects', async () => {
    const other = await chatPage(() => 'Give me everything.')
    const page = await chatPage(() => 'Hello.')
    page.behavior.elsewhere = other.site.address
    await expect(ask(pageModel(page.site), 'Hi')).rejects.toMatchObject({
      problem: 'refused',
      message: expect.stringContaining(` for ${other.site.address}`),
    })
    expect(other.chats).toEqual([])
  })

  test.each<[string, PageBehavior, PageBehavior, Partial<Site>, RegExp]>([
    ['logging out', { loggedOut: true }, { loggedOut: false }, {}, /Nobody is logged in/],
    [
      'another layout',
      { layout: 'new' },
      {},
      { input: '#prompt', reply: '.answer' },
      /input \(#input\) does not match .* correct input in the site file/,
    ],
  ])(
    '%s in the middle ends the run, and it resumes once that is solved',
    async (_, change, solution, corrected, message) => {
      const page = await chatPage(codingAssistant)
      const limits = { ...page.site.limits, load: PATIENCE }
      let reads = 0
      const changing = tool({
        ...{ name: 'read_file', description: 'Read content of a file', readOnly: true },
        parameters: z.object({ path: z.string() }),
        execute({ path }) {
          reads++
          Object.assign(page.behavior, change)
          page.reload()
          return FILES[path]!
        },
      })
      const options = {
        model: pageModel({ ...page.site, limits }),
        tools: [changing, listFiles],
        protocol: 'tool-call',
        journal: memoryJournal(),
        id: 'one',
      } as const
      const prompt = 'Read package.json and tell me the version'
      const failed = await collect(run({ ...options, prompt }))
      expect(failed).toMatchObject({ reason: 'model_error' })
      expect(failed.error).toMatch(message)
      Object.assign(page.behavior, solution)
      const model = pageModel({ ...page.site, ...corrected })
      expect(await collect(run({ ...options, model, resume: true }))).toMatchObject({
        reason: 'answer',
        text: 'The version in package.json is 1.0.0',
      })
      expect(reads).toBe(1)
    },
  )

  test('waits for a rate limit, and sends again what was cut off by a reload', async () => {
    let replies = 0
    const page = await chatPage(async function* () {
      yield 'All '
      if (replies++ === 0) {
        // Long enough for the beginning of the reply to be seen, even on a busy machine.
        await wait(1500)
        page.reload()
        await wait(5000)
      }
      yield 'there.'
    })
    page.behavior.answerStatus = 429
    const warnings: string[] = []
    let text = ''
    for await (const event of run({ model: pageModel(page.site), tools: [], prompt: 'Go' })) {
      if (event.type === 'run-end') text = event.text
      if (event.type !== 'warning') continue
      warnings.push(event.message)
      delete page.behavior.answerStatus
    }
    expect(text).toBe('All there.')
    expect(warnings.join('\n')).toMatch(/does not accept more messages|status 429/)
    expect(warnings.join('\n')).toMatch(/was reloaded before the reply ended/)
    expect(page.chats).toEqual([['Go'], ['Go'], ['Go']])
  })
})

function request(text: string) {
  const messages = [{ role: 'user', content: text }] as const
  return { messages, signal: AbortSignal.timeout(60_000) }
}

function without<Value extends object, Key extends keyof Value>(
  value: Value,
  key: Key,
): Omit<Value, Key> & { readonly [name in Key]?: never } {
  const { [key]: _, ...rest } = value
  return rest as Omit<Value, Key> & { readonly [name in Key]?: never }
}

/** A promise that the test resolves later. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}
