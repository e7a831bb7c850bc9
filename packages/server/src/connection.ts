/** The interface between an app and the connection that a request came over. */
export interface Connection {
  /** The request has a valid token, by this name. Returns false, and ends with the response, if the token has too many. */
  trust(token: string): boolean
  /** Calls back once, when the response has been sent to its end or the client has gone away. */
  onEnd(callback: (end: ResponseEnd) => void): void
}

/** How a response ended. */
export interface ResponseEnd {
  /** The size of the body that was sent. */
  readonly bytes: number
  /** It did not reach its end. */
  readonly aborted: boolean
  /** Why the server itself cut it. Without it, the client went away. */
  readonly cut?: Cut | undefined
}

/** Why a server cuts a response: it stops, the client takes nothing of it, or the response fails. */
export type Cut = 'stopped' | 'stalled' | 'failed'

/** For runtimes that do not say when a response has ended: a connection that watches the response's body. */
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
