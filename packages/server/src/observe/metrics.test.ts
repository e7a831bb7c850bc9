import { expect, test } from 'vitest'
import { entry, report } from '../../test/access-entries.ts'
import { createMetrics } from './metrics.ts'

/** The value of each series, by its name and labels. */
async function seriesOf({ print }: ReturnType<typeof createMetrics>): Promise<Map<string, number>> {
  const lines = (await print()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

test('counts requests of a server and its gateway', async () => {
  const metrics = createMetrics()
  for (let at = 0; at < 6; at++) metrics.begin()
  metrics.observe(entry())
  metrics.observe(entry({ gateway: report({ outcome: 'answer', calls: 0, repairs: [] }) }))
  metrics.observe(
    entry({ status: 403, route: 'other', error: 'host_not_allowed', gateway: undefined }),
  )
  const series = await seriesOf(metrics)
  const path = 'route="/v1/chat/completions"'
  const model = 'model="qwen3:8b"'
  expect(Object.fromEntries(series)).toMatchObject({
    [`toolglot_requests_total{method="POST",${path},status="200"}`]: 2,
    'toolglot_requests_total{method="POST",route="other",status="403"}': 1,
    toolglot_requests_in_flight: 3,
    [`toolglot_response_bytes_total{${path}}`]: 2000,
    [`toolglot_request_duration_seconds_sum{${path}}`]: 2.4,
    [`toolglot_first_byte_seconds_count{${path}}`]: 2,
    [`toolglot_replies_total{${model},protocol="hermes",outcome="calls"}`]: 1,
    [`toolglot_replies_total{${model},protocol="hermes",outcome="answer"}`]: 1,
    [`toolglot_tokens_total{${model},direction="input"}`]: 1624,
    [`toolglot_tokens_total{${model},direction="output"}`]: 190,
    [`toolglot_calls_total{${model},protocol="hermes"}`]: 2,
    'toolglot_repairs_total{repair="trailing-comma"}': 1,
    'toolglot_errors_total{code="host_not_allowed"}': 1,
  })
})

test('counts errors, malformed calls and retries', async () => {
  const metrics = createMetrics()
  const gateway = report({ outcome: 'error', error: 'upstream_error', malformed: 2, retries: 1 })
  metrics.observe(entry({ status: 502, error: 'upstream_error', gateway }))
  const series = await seriesOf(metrics)
  expect(series.get('toolglot_errors_total{code="upstream_error"}')).toBe(1)
  expect(series.get('toolglot_malformed_calls_total{model="qwen3:8b",protocol="hermes"}')).toBe(2)
  expect(series.get('toolglot_retries_total{model="qwen3:8b"}')).toBe(1)
})

test('limits the number of series for values from clients and servers, and never throws', async () => {
  const metrics = createMetrics()
  for (let at = 0; at < 1000; at++) {
    const usage = { input: at % 2 ? -at : NaN, output: Infinity }
    const gateway = report({ model: `m${at}`, protocol: `p${at}`, repairs: [`r${at}`], usage })
    metrics.observe(
      entry({ method: `M${at}`, route: `/${at}`, error: `e${at}`, bytes: NaN, gateway }),
    )
  }
  metrics.observe(entry({ gateway: report({ model: 'a\nb"}' }) }))
  metrics.observe(entry({ gateway: report({ model: 'x'.repeat(1e5) }) }))
  const series = await seriesOf(metrics)
  const names = (label: string): Set<string | undefined> =>
    new Set([...series.keys()].map((key) => new RegExp(` ?${label}="([^"]*)"`).exec(key)?.[1]))
  for (const label of ['model', 'protocol', 'repair', 'code', 'route']) {
    expect(names(label).size).toBeLessThanOrEqual(102)
    expect(names(label)).toContain('other')
  }
  expect(names('method')).toEqual(new Set(['POST', 'other', undefined]))
  expect([...series.values()].every(Number.isFinite)).toBe(true)
})

test('does not use a model that looks like a token as a label', async () => {
  const metrics = createMetrics()
  const token = 'Ab0-'.repeat(11).slice(1)
  metrics.observe(entry({ gateway: report({ model: token }) }))
  const printed = await metrics.print()
  expect(printed).not.toContain(token)
  expect(printed).toContain('toolglot_replies_total{model="other"')
})

test('does not share counts between servers', async () => {
  const one = createMetrics()
  const other = createMetrics()
  one.observe(entry())
  expect((await other.print()).includes('toolglot_requests_total{')).toBe(false)
  expect((await one.print()).includes('toolglot_requests_total{')).toBe(true)
})
