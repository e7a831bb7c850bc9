/** The connection of a request, as an app sees it. */
export interface Connection {
  /**
   * Assigns the connection to a valid token, by its name. Returns false, and closes the connection
   * after the response, if the token has too many connections.
   */
  trust(token: string): boolean
  /** Calls back once, when the response has been sent completely or the client has disconnected. */
  onEnd(callback: (end: ResponseEnd) => void): void
}

/** The end of a response. */
export interface ResponseEnd {
  /** The number of bytes of the body that were sent. */
  readonly bytes: number
  /** True if the response was not completed. */
  readonly aborted: boolean
  /** The reason why the server cut off the response. Undefined if the client disconnected. */
  readonly cut?: Cut | undefined
}

/**
 * The reason why a server cuts a response: it stops, the client reads nothing for too long, or the
 * response fails.
 */
export type Cut = 'stopped' | 'stalled' | 'failed'

/**
 * A connection that watches the response's body, for runtimes that don't report the end of a
 * response.
 */
export function watchedConnection(): Connection & { watch(response: Response): Response } {
  let end: (end: ResponseEnd) => void = () => {}
  return {
    trust: () => true,
    onEnd(callback) {
      end = callback
    },
    watch(response) {
      const { body, status, statusText, headers } = response
      if (!body) {
        end({ bytes: 0, aborted: false })
        return response
      }
      let bytes = 0
      let isCancelled = false
      const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
      const watched = new ReadableStream<Uint8Array>({
        async pull(controller) {
          try {
            const { done, value } = await reader.read()
            if (isCancelled) return
            if (done) {
              controller.close()
              end({ bytes, aborted: false })
            } else {
              bytes += value.byteLength
              controller.enqueue(value)
            }
          } catch (error) {
            end({ bytes, aborted: true, cut: 'failed' })
            throw error
          }
        },
        async cancel(reason) {
          isCancelled = true
          end({ bytes, aborted: true })
          await reader.cancel(reason)
        },
      })
      return new Response(watched, { status, statusText, headers })
    },
  }
}
