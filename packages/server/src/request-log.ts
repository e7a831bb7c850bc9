import type { Connection, ResponseEnd } from './connection.ts'
import type { GatewayReport } from './gateway/report.ts'
import { METHODS } from './methods.ts'
import type { AccessEntry, Observe } from './observe/access-entry.ts'
import { safeText } from './observe/safe-text.ts'
import type { Principal, Route } from './route.ts'
import type { Place } from './security/perimeter.ts'

/**
 * The time that the log waits for a route's report after the response has ended, in milliseconds.
 */
const REPORT_WAIT = 1000

/** The data about a request, until its response has ended. */
export interface RequestLog {
  principal?: Principal
  place?: Place
  status: number
  error?: string
  readonly report: (report: GatewayReport) => void
  /** Runs a callback when the response has ended, or immediately if it already has. */
  readonly atEnd: (run: () => void) => void
}

/** Follows a request to the end of its response, and then calls the observer. */
export function startRequestLog(
  request: Request,
  route: Route | undefined,
  connection: Connection,
  observe: Observe,
): RequestLog {
  const time = Date.now()
  const began = performance.now()
  let gateway: GatewayReport | undefined
  let reported: (() => void) | undefined
  let isEnded = false
  const atEnd: (() => void)[] = []

  const log: RequestLog = {
    // The client disconnected before there was a response.
    status: 499,
    report(report) {
      gateway = report
      reported?.()
    },
    atEnd(run) {
      if (isEnded) run()
      else atEnd.push(run)
    },
  }
  connection.onEnd(({ bytes, aborted, cut }: ResponseEnd) => {
    isEnded = true
    for (const run of atEnd) run()
    const duration = performance.now() - began
    const tell = (): void => {
      const { pathname } = new URL(request.url)
      const { principal, status, error } = log
      const entry: AccessEntry = {
        time,
        method: METHODS.has(request.method) ? request.method : 'other',
        route: route?.path ?? 'other',
        // Not logged for unauthenticated clients.
        path: log.principal && route?.path !== pathname ? safeText(pathname) : undefined,
        status,
        duration,
        bytes,
        token: principal?.name,
        ...(aborted && { aborted, cut }),
        error,
        gateway,
      }
      observe(entry)
    }
    if (!route?.reports || log.error !== undefined || gateway) return tell()
    const timer = setTimeout(() => reported?.(), REPORT_WAIT)
    reported = () => {
      reported = undefined
      clearTimeout(timer)
      tell()
    }
  })
  return log
}
