import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { GatewayReport } from '../gateway/report.ts'
import { METHODS } from '../methods.ts'
import type { Observe } from './access-entry.ts'
import { withoutSecrets } from './safe-text.ts'

/** Metrics of a server, for Prometheus. */
export interface Metrics {
  /** Counts the start of a request. */
  readonly begin: () => void
  /** Counts a completed request. */
  readonly observe: Observe
  /** All metrics in the Prometheus text format. */
  readonly print: () => Promise<string>
}

/**
 * Creates metrics. Labels have a bounded number of values: other values from clients are counted as
 * `other`.
 */
export function createMetrics(): Metrics {
  const registers = [new Registry()]
  const counter = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ): Counter<Label> => new Counter({ name: `toolglot_${name}`, help, labelNames, registers })
  const histogram = (name: string, help: string): Histogram<'route'> =>
    new Histogram({
      name: `toolglot_${name}`,
      help,
      labelNames: ['route'],
      buckets: SECONDS,
      registers,
    })

  const requests = counter('requests_total', 'Requests that ended', ['method', 'route', 'status'])
  const bytes = counter('response_bytes_total', 'Bytes of response bodies', ['route'])
  const durations = histogram('request_duration_seconds', 'Until the end of a response')
  const firstBytes = histogram('first_byte_seconds', 'Until the first piece of a reply')
  const replies = counter('replies_total', 'Requests to models', ['model', 'protocol', 'outcome'])
  const tokens = counter('tokens_total', 'Tokens of prompts and replies', ['model', 'direction'])
  const calls = counter('calls_total', 'Calls that models made', ['model', 'protocol'])
  const malformed = counter('malformed_calls_total', 'Calls that could not be read', [
    'model',
    'protocol',
  ])
  const repairs = counter('repairs_total', 'Repairs of calls', ['repair'])
  const retries = counter('retries_total', 'How often a model was asked again', ['model'])
  const errors = counter('errors_total', 'Errors that clients were sent', ['code'])
  const inFlight = new Gauge({
    name: 'toolglot_requests_in_flight',
    help: 'Requests that are being answered',
    registers,
  })

  const bounded = {
    route: boundedValues(),
    model: boundedValues(),
    protocol: boundedValues(),
    repair: boundedValues(),
    code: boundedValues(),
  }

  return {
    begin: () => inFlight.inc(),
    observe({ method, route: path, status, duration, bytes: size, error, gateway }) {
      inFlight.dec()
      const route = bounded.route(path)
      requests.inc({ method: METHODS.has(method) ? method : 'other', route, status })
      bytes.inc({ route }, amount(size))
      durations.observe({ route }, duration / 1000)
      const code = gateway?.error ?? error
      if (code !== undefined) errors.inc({ code: bounded.code(code) })
      if (gateway) observeGateway(gateway, route)
    },
    print: () => registers[0]!.metrics(),
  }

  function observeGateway(report: GatewayReport, route: string): void {
    const model = report.model === undefined ? 'none' : bounded.model(report.model)
    const protocol = report.protocol === undefined ? 'none' : bounded.protocol(report.protocol)
    const { usage, firstByte } = report
    replies.inc({ model, protocol, outcome: report.outcome })
    if (firstByte !== undefined) firstBytes.observe({ route }, firstByte / 1000)
    if (usage) {
      tokens.inc({ model, direction: 'input' }, amount(usage.input))
      tokens.inc({ model, direction: 'output' }, amount(usage.output))
    }
    if (report.calls > 0) calls.inc({ model, protocol }, report.calls)
    if (report.malformed > 0) malformed.inc({ model, protocol }, report.malformed)
    if (report.retries > 0) retries.inc({ model }, report.retries)
    for (const name of report.repairs) repairs.inc({ repair: bounded.repair(name) })
  }
}

/** Model servers report their own usage, and a counter throws on invalid values. */
function amount(count: number): number {
  return Number.isFinite(count) && count > 0 ? count : 0
}

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const MAX_VALUES = 100

/** Keeps the first values. Later ones, invalid names and possible secrets become `other`. */
function boundedValues(): (value: string) => string {
  const seen = new Set<string>()
  return (value) => {
    if (seen.has(value)) return value
    if (seen.size >= MAX_VALUES || !/^[^\p{C}]{1,200}$/u.test(value)) return 'other'
    if (withoutSecrets(value) !== value) return 'other'
    seen.add(value)
    return value
  }
}
