import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { report } from '../../test/access-entries.ts'
import { createGatewayFeed } from './gateway-feed.ts'

const from = { api: 'chat-completions', userAgent: 'OpenAI/JS 6.1.0', token: 'laptop' }

test('shows a request from its start to its end', () => {
  let time = 1000
  const feed = createGatewayFeed(() => time)
  const seen = feed.start(from)
  expect(feed.list()).toMatchObject({
    all: true,
    requests: [{ time: 1000, client: 'OpenAI/JS 6.1.0', token: 'laptop', outcome: 'open' }],
    today: { requests: 1, calls: 0 },
  })
  time = 1500
  const { api, path, stream, tools, protocol } = report()
  seen.read({ api, path, stream, tools, requestedModel: 'default', protocol: protocol! })
  expect(feed.list().requests).toMatchObject([
    { outcome: 'open', requestedModel: 'default', protocol: 'hermes', tools: 3, stream: true },
  ])
  seen.end(report({ repairs: ['coerced', 'trailing-comma', 'coerced'] }))
  expect(feed.list()).toMatchObject({
    requests: [
      {
        outcome: 'calls',
        calls: 2,
        callNames: ['Read', 'Read'],
        repairs: [
          { name: 'coerced', count: 2 },
          { name: 'trailing-comma', count: 1 },
        ],
        usage: { input: 812, output: 95 },
      },
    ],
    today: { requests: 1, calls: 2, repairs: 3, errors: 0, inputTokens: 812, outputTokens: 95 },
  })
})

test('keeps the latest two hundred requests, each with a unique id', () => {
  const feed = createGatewayFeed()
  const first = feed.start(from)
  for (let at = 0; at < 500; at++) feed.start(from).end(report())
  // A request that is no longer kept changes only the counts.
  first.end(report())
  const { requests, today } = feed.list()
  expect(requests).toHaveLength(200)
  expect(new Set(requests.map(({ id }) => id)).size).toBe(200)
  expect(requests.map(({ time }) => time)).toEqual(
    requests.map(({ time }) => time).sort((one, other) => other - one),
  )
  expect(today).toMatchObject({ requests: 501, calls: 1002 })
})

test('keeps little of a request, however large it is', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const feed = createGatewayFeed()
  const before = used()
  for (let at = 0; at < 50; at++) {
    const large = String(at).repeat(1 << 20)
    const { read, end } = feed.start(from)
    read({ api: 'a', path: 'b', stream: false, tools: 0, requestedModel: large })
    const many = Array.from({ length: 10_000 }, (_, note) => `${note}`)
    if (at % 2 === 0) end(report({ requestedModel: large, notes: many, repairs: many }))
  }
  expect(used() - before).toBeLessThan(4 << 20)
  expect(feed.list().requests).toHaveLength(50)
})

test('shortens foreign text to one line without secrets', () => {
  const feed = createGatewayFeed()
  const secret = `sk-${'a1B2'.repeat(12)}`
  const seen = feed.start({ ...from, userAgent: `x\u001b[31m\u202e${secret}${'y'.repeat(9000)}` })
  seen.end(
    report({
      outcome: 'error',
      error: 'upstream_refused',
      message: 'what people wrote',
      summary: `line\n${secret}`,
      callNames: ['a\u200bb'],
      requestedModel: 'm'.repeat(5000),
      notes: Array.from({ length: 500 }, (_, at) => `dropped:${at}`),
    }),
  )
  const [shown] = feed.list().requests
  const text = JSON.stringify(shown)
  expect(text).not.toContain(secret)
  expect(text).not.toContain('what people wrote')
  // eslint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u001f\u200b\u202e]/)
  expect(text.length).toBeLessThan(3000)
})

test('sends all requests first, and then changes, combined', async () => {
  const feed = createGatewayFeed()
  const old = feed.start(from)
  const stop = new AbortController()
  const follower = feed.follow(stop.signal)
  expect((await follower.next()).value).toMatchObject({ all: true, requests: [{}] })
  old.end(report())
  const other = feed.start(from)
  other.end(report({ outcome: 'aborted' }))
  const { value } = await follower.next()
  expect(value).toMatchObject({ all: false, today: { requests: 2 } })
  expect(value?.requests.map(({ outcome }) => outcome)).toEqual(['aborted', 'calls'])
  const waiting = follower.next()
  stop.abort()
  expect(await waiting).toEqual({ done: true, value: undefined })
})

test('sends changed requests in the order of their start, the newest first', async () => {
  const feed = createGatewayFeed()
  const stop = new AbortController()
  const follower = feed.follow(stop.signal)
  const [first, second] = [feed.start(from), feed.start(from)]
  await follower.next()
  second.end(report({ outcome: 'answer' }))
  first.end(report({ outcome: 'calls' }))
  const { value } = await follower.next()
  expect(value?.requests.map(({ outcome }) => outcome)).toEqual(['answer', 'calls'])
  stop.abort()
  await follower.return()
})

test('restarts the count on the next day', () => {
  let time = new Date(2026, 10, 16, 23, 59).getTime()
  const feed = createGatewayFeed(() => time)
  const { end } = feed.start(from)
  expect(feed.list().today).toMatchObject({ since: time, requests: 1 })
  time = new Date(2026, 10, 17, 0, 1).getTime()
  end(report())
  expect(feed.list().today).toMatchObject({
    since: new Date(2026, 10, 17).getTime(),
    requests: 0,
    calls: 2,
  })
})
