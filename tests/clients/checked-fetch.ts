import { expect } from 'vitest'
import { checkChatStream } from '../../packages/server/test/check-chat-stream.ts'

/** A `fetch` for one conversation of a client: it checks every stream that the client reads, after the client has read it. */
export function checkedFetch(): { fetch: typeof fetch; finish(): Promise<void> } {
  const ids: string[] = []
  const streams: Promise<void>[] = []
  return {
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response
      const copy = response.clone()
      const body = JSON.parse(init?.body as string) as {
        stream_options?: { include_usage?: boolean }
      }
      const usage = body.stream_options?.include_usage === true
      streams.push(
        copy.text().then((sse) => {
          const { problems, calls } = checkChatStream(sse, { usage, usedIds: ids })
          ids.push(...calls.map(({ id }) => id))
          expect(problems, sse).toEqual([])
        }),
      )
      return response
    },
    async finish() {
      await Promise.all(streams)
    },
  }
}
