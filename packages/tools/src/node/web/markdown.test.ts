import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { failureOf } from '../../../test/web-server.ts'
import { toMarkdown } from './markdown.ts'
import { isLong, share } from '../../../../../tests/helpers/size.ts'

const signal = new AbortController().signal
const url = 'https://page.test/docs/start'

const article = `<!doctype html><html><head><title>Start here</title><style>p{}</style>
<script>alert('script')</script></head><body>
<nav><a href="/a">Navigation one</a> <a href="/b">Navigation two</a></nav>
<main><article><h1>Start here</h1>
<p>${'The first paragraph says what this is for, at some length. '.repeat(5)}</p>
<p>See <a href="../next">the next page</a> for <b>more</b>.</p>
<pre><code class="language-js">const a = 1 &lt; 2</code></pre>
<table><thead><tr><th>Name</th><th>Use</th></tr></thead><tbody><tr><td>one</td><td>first</td></tr></tbody></table>
<ul><li>apple</li><li>pear</li></ul>
</article></main><footer>Footer text</footer></body></html>`

test('converts the main content of a page, with absolute links', async () => {
  const text = await toMarkdown(article, { url, signal })
  expect(text).toMatch(/^# Start here\n/)
  expect(text).toContain('[the next page](https://page.test/next) for **more**')
  expect(text).toContain('```js\nconst a = 1 < 2\n```')
  expect(text).toMatch(/\| Name \| Use \|/)
  expect(text).toMatch(/- apple\n- pear/)
  for (const noise of ['Navigation', 'Footer', 'alert', 'p{}']) expect(text).not.toContain(noise)
})

test('converts a large page completely, since finding its main content would take too long', async () => {
  const large = article.replace(
    '<ul>',
    `${`<p>${'One of many words. '.repeat(50)}</p>`.repeat(1100)}<ul>`,
  )
  const text = await toMarkdown(large, { url, signal })
  expect(text).toContain('Navigation one')
  expect(text).toContain('[the next page](https://page.test/next)')
  expect(text).toContain('apple')
  expect(text).not.toContain('alert')
})

test('converts a page without main content completely; an empty one remains empty', async () => {
  expect(await toMarkdown('<p>short</p>', { url, signal })).toContain('short')
  expect(await toMarkdown('', { url, signal })).toBe('')
})

const nasty = [
  ['full of nothing', `<p>${'\u0000\ufffd'.repeat(10_000)}`],
  ['nested', '<div>'.repeat(30_000)],
  ['broken', '<table><tr><b><p></td><![CDATA[<a href="'.repeat(5000)],
] as const

test.each(share(nasty, 3))(
  '%s: a result or an error, in time',
  { timeout: 30_000 },
  async (_, html) => {
    const text = await toMarkdown(html, { url, signal, timeout: 1500 }).catch(
      (error: unknown) => error,
    )
    expect(
      typeof text === 'string' || (text as { details?: { code?: string } }).details?.code,
    ).toSatisfy((value) => value === true || value === 'conversion_failed')
  },
)

test('fails with advice if the time or memory limit is exceeded', async () => {
  const slow = await failureOf(toMarkdown(article, { url, signal, timeout: 1 }))
  expect(slow.message).toContain('format "html"')
  const large = `<p>${'<b>x</b>'.repeat(isLong ? 100_000 : 20_000)}`
  const greedy = await failureOf(toMarkdown(large, { url, signal, memory: 8 }))
  expect(greedy.details).toMatchObject({ code: 'conversion_failed' })
})

test('can be aborted', async () => {
  const stop = new AbortController()
  const text = toMarkdown(article, { url, signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(text).rejects.toThrow('enough')
})

/** Reports every connection that a worker opens. */
const watcher = `
  import { Socket } from 'node:net'
  import { parentPort } from 'node:worker_threads'
  Socket.prototype.connect = function () {
    parentPort.postMessage('connects')
    throw new Error('no')
  }`

/** Defuddle would call the APIs of these hosts. */
const pages = [
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://x.com/someone/status/1234567890',
  'https://wiki.c2.com/?WelcomeVisitors',
]

test.each(share(pages, 3))('fetches no other resource for a page of %s', async (page) => {
  const html = `<title>Title</title><body><p>${'Some words. '.repeat(20)}</p></body>`
  const messages: unknown[] = []
  await new Promise((resolve) => {
    const worker = new Worker(new URL('../../../workers/markdown.js', import.meta.url), {
      workerData: { html, url: page, whole: false },
      execArgv: ['--import', `data:text/javascript,${encodeURIComponent(watcher)}`],
      stderr: true,
    })
    worker.on('message', (message) => messages.push(message))
    worker.on('exit', resolve)
  })
  expect(messages).toEqual([expect.stringMatching(/^(?!connects)/)])
})
