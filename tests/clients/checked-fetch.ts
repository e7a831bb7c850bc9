import { expect } from 'vitest'
import { checkChatStream } from '../../packages/server/test/check-chat-stream.ts'

/** A `fetch` for one conversation of a client, which keeps what the client reads. */
export interface CheckedFetch {
  readonly fetch: typeof fetch
  /** Checks every stream that the client has read: call ids are unique over all of them. */
  expectValid(): void
}

export function checkedFetch(): CheckedFetch {
  const streams: { text: string; readonly usage: boolean }[] = []
  return {
    async fetch(input, init) {
      const response = await fetch(input, init)
      const { body, status, headers } = response
      if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) return response
      const { stream_options: options } = JSON.parse(init?.body as string) as {
        stream_options?: { include_usage?: boolean }
      }
      const stream = { text: '', usage: options?.include_usage === true }
      streams.push(stream)
      const decoder = new TextDecoder()
      const kept = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          stream.text += decoder.decode(chunk, { stream: true })
          controller.enqueue(chunk)
        },
      })
      return new Response(body.pipeThrough(kept), { status, headers })
    },
    expectValid() {
      expect(streams).toHaveLength(3)
      const usedIds: string[] = []
      for (const { text, usage } of streams) {
        const { problems, calls } = checkChatStream(text, { usage, usedIds })
        expect(problems, text).toEqual([])
        usedIds.push(...calls.map(({ id }) => id))
      }
    },
  }
}
