/** The headers of a response with server-sent events. */
export const EVENT_STREAM: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies must not collect it.
  'x-accel-buffering': 'no',
}

/** A comment that keeps a connection open while there are no events. */
export const KEEP_ALIVE = ': keep-alive\n\n'
