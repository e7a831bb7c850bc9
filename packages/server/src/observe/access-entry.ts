// Folder: Logs and metrics.
import type { Cut } from '../connection.ts'
import type { GatewayReport } from '../gateway/report.ts'
import type { HttpErrorCode } from '../security/http-error.ts'
import { safeText } from './safe-text.ts'

/**
 * One completed request and its response, for logs and metrics. Contains no secrets and no text
 * from a model.
 */
export interface AccessEntry {
  /** The start time, in milliseconds since 1970. */
  readonly time: number
  readonly method: string
  /**
   * The path of the route, or `other` if no route matches: an unknown path may contain arbitrary
   * text.
   */
  readonly route: string
  /**
   * The path of a request with a valid token, if it differs from the route's: shortened, and
   * without secrets.
   */
  readonly path?: string
  readonly status: number
  /** The time until the end of the response, in milliseconds. */
  readonly duration: number
  /** The size of the response body, in bytes. */
  readonly bytes: number
  /** The name of the valid token. */
  readonly token?: string
  /**
   * True if the response was not completed: the client disconnected, unless `cut` contains another
   * reason.
   */
  readonly aborted?: true
  /**
   * The reason why the server cut off the response: the server stopped, the client read nothing for
   * too long, or the response failed.
   */
  readonly cut?: Cut
  /** The error code sent to the client. */
  readonly error?: string
  /** The gateway's report. */
  readonly gateway?: GatewayReport
}

/** Called with each completed request. */
export type Observe = (entry: AccessEntry) => void

/**
 * A request for people: one line, followed by a line with the problem and the advice if it failed.
 */
export function accessLine(entry: AccessEntry): string {
  const { time, status, method, route, path = route, duration, token, gateway } = entry
  const parts = [
    `${clock(time)} ${status} ${safeText(method)} ${safeText(path)} ${seconds(duration)}`,
    token === undefined ? '' : safeText(token),
    ...(gateway ? gatewayParts(gateway) : []),
    endOf(entry),
  ]
  const line = parts.filter((part) => part !== '').join('  ')
  const problem = problemOf(entry)
  return problem === '' ? `${line}\n` : `${line}\n         ${problem}\n`
}

/** The reason why a response was not completed. */
function endOf({ aborted, cut, gateway }: AccessEntry): string {
  if (cut !== undefined) return CUTS[cut]
  return aborted || gateway?.outcome === 'aborted' ? 'client gone' : ''
}

const CUTS = {
  stopped: 'cut off: the server stopped',
  stalled: 'cut off: the client did not read',
  failed: 'cut off: an error',
} as const

function gatewayParts(report: GatewayReport): string[] {
  const { model, protocol, outcome, calls, repairs, malformed, retries, usage, notes } = report
  const about = usage?.estimated ? '~' : ''
  return [
    model === undefined
      ? ''
      : `${safeText(model)}${protocol === undefined ? '' : ` (${safeText(protocol)})`}`,
    [
      counted(calls, 'call', 'calls'),
      counted(repairs.length, 'repair', 'repairs'),
      malformed === 0 ? '' : `${malformed} malformed`,
      counted(retries, 'retry', 'retries'),
      outcome === 'cut_off' ? 'cut off' : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
    usage ? `${about}${usage.input} → ${about}${usage.output} tokens` : '',
    notes
      .slice(0, 5)
      .map((note) => safeText(note))
      .join(', '),
  ]
}

/** Describes the failure and how to fix it. */
function problemOf({ error, gateway }: AccessEntry): string {
  const code = gateway?.error ?? error
  if (code === undefined) return ''
  const message = gateway?.message === undefined ? '' : `: ${safeText(gateway.message, 500)}`
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code as keyof typeof ADVICE] : undefined
  return `${safeText(code)}${message}${advice === undefined ? '' : ` – ${advice}`}`
}

/** Advice on some errors. Errors of models contain their own. */
const ADVICE: Readonly<Partial<Record<HttpErrorCode | 'model_not_found', string>>> = {
  unauthorized: 'the client needs a token: toolglot token',
  not_found: 'clients use paths such as /v1/chat/completions, so their base URL ends in /v1',
  scope_insufficient: 'the token lacks a scope: toolglot token create NAME --scope gateway',
  host_not_allowed: 'if this name is yours: --allow-host NAME, or server.hosts in your settings',
  origin_not_allowed: 'if this page is yours: server.origins in your settings',
  rate_limited: 'the limit is in server.limits of your settings',
  body_too_large: 'the limit is in server.limits of your settings',
  model_not_found:
    'list models with toolglot models; add others in gateway.models of your settings',
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`
}

function clock(time: number): string {
  const date = new Date(time)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`
}
