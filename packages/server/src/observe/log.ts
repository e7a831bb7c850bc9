import { JournalError } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { pino } from 'pino'
import type { GatewayReport } from '../gateway/report.ts'
import { type AccessEntry, type Observe, accessLine } from './access-entry.ts'
import { safeText } from './safe-text.ts'

/** Options for the log. */
export interface LogOptions {
  /**
   * `text` is for people, with one line per request; `json` is for programs, with one object per
   * line.
   */
  readonly format: 'text' | 'json'
  /** Called with complete lines. */
  readonly write: (text: string) => void
}

/** A log of requests and other events of a server. */
export interface Log {
  readonly observe: Observe
  /** Information, such as a change of the default model. */
  readonly note: (message: string) => void
  /** A warning that requires action. */
  readonly warning: (message: string) => void
  /** A failure of the server itself. */
  readonly failure: (error: unknown) => void
}

/** Creates a log without secrets, bodies or queries. Untrusted text cannot control the terminal. */
export function createLog({ format, write }: LogOptions): Log {
  if (format === 'text') {
    return {
      observe: (entry) => isPartOfThePage(entry) || write(accessLine(entry)),
      note: (message) => write(`${safeText(message, 500)}\n`),
      warning: (message) => write(`warning: ${safeText(message, 500)}\n`),
      failure: (error) => write(`error: ${failureOf(error)}\n`),
    }
  }
  const logger = pino(
    {
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  )
  return {
    observe: (entry) => logger[levelOf(entry)](jsonOf(entry), 'request'),
    note: (message) => logger.info(safeText(message, 500)),
    warning: (message) => logger.warn(safeText(message, 500)),
    failure: (error) => logger.error(failureOf(error)),
  }
}

/**
 * A view of the page loads dozens of files. The text format shows only those that failed to load;
 * the JSON format has all of them.
 */
function isPartOfThePage({ route, status }: AccessEntry): boolean {
  return route.startsWith('/assets/') && status < 400
}

/** An error on one line, with its stack unless the cause is outside the code. */
function failureOf(error: unknown): string {
  const text = !(error instanceof Error)
    ? String(error)
    : isOutside(error)
      ? error.message
      : (error.stack ?? error.message)
  return safeText(text.replace(/\n */g, ' '), 2000)
}

/** True if the user or the machine caused an error, such as a full disk. */
function isOutside(error: Error): boolean {
  return error instanceof JournalError || error instanceof UserError || 'syscall' in error
}

function levelOf({ status }: AccessEntry): 'info' | 'warn' | 'error' {
  return status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info'
}

/** Lists the members explicitly, so that members added elsewhere don't reach the log. */
function jsonOf(entry: AccessEntry): object {
  const {
    time,
    method,
    route,
    path,
    status,
    duration,
    bytes,
    token,
    aborted,
    cut,
    error,
    gateway,
  } = entry
  return {
    began: new Date(time).toISOString(),
    method: safeText(method, 20),
    route: safeText(route),
    path: path === undefined ? undefined : safeText(path),
    status,
    duration: Math.round(duration),
    bytes,
    token: token === undefined ? undefined : safeText(token),
    aborted,
    cut: cut === undefined ? undefined : safeText(cut),
    error: error === undefined ? undefined : safeText(error),
    gateway: gateway ? reportOf(gateway) : undefined,
  }
}

function reportOf(report: GatewayReport): object {
  const { model, protocol, stream, outcome, error, message } = report
  const { calls, repairs, malformed, retries, usage, firstByte, notes } = report
  return {
    model: model === undefined ? undefined : safeText(model, 200),
    protocol: protocol === undefined ? undefined : safeText(protocol),
    stream,
    outcome,
    error: error === undefined ? undefined : safeText(error),
    message: message === undefined ? undefined : safeText(message, 500),
    calls,
    repairs: repairs.slice(0, MAX_LIST).map((name) => safeText(name)),
    malformed,
    retries,
    ...(usage && {
      inputTokens: usage.input,
      outputTokens: usage.output,
      tokensEstimated: usage.estimated ? true : undefined,
    }),
    firstByte: firstByte === undefined ? undefined : Math.round(firstByte),
    notes: notes.slice(0, MAX_LIST).map((note) => safeText(note)),
  }
}

const MAX_LIST = 50
