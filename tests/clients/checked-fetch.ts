import { expect } from 'vitest'
import { checkChatStream } from '../../packages/server/test/check-chat-stream.ts'
import { checkMessagesStream } from '../../packages/server/test/check-messages-stream.ts'
import { checkResponsesStream } from '../../packages/server/test/check-responses-stream.ts'
import type { CheckedStream } from '../../packages/server/test/checked-stream.ts'

/** A `fetch` for one conversation of a client, which records the responses. */
export interface CheckedFetch {
  readonly fetch: typeof fetch
  /** The bodies of the requests. */
  readonly requests: readonly string[]
  /** Checks every stream that the client has read. Call ids must be unique across all of them. */
  expectValid(): void
}

interface KeptStream {
  text: string
  readonly path: string
  readonly request: { readonly stream_options?: { readonly include_usage?: boolean } }
}

/** Checks a stream. */
type Check = (stream: KeptStream, usedIds: readonly string[]) => CheckedStream

/** The stream checks of each API, by its path. */
const checks: Readonly<Record<string, Check>> = {
  '/v1/chat/completions': ({ text, request }, usedIds) =>
    checkChatStream(text, { usage: request.stream_options?.include_usage === true, usedIds }),
  '/v1/responses': ({ text }, usedIds) => checkResponsesStream(text, { usedIds }),
  '/v1/messages': ({ text }, usedIds) => checkMessagesStream(text, { usedIds }),
}

export function checkedFetch(): CheckedFetch {
  const streams: KeptStream[] = []
  const requests: string[] = []
  return {
    requests,
    async fetch(input, init) {
      requests.push(init?.body as string)
      const response = await fetch(input, init)
      const { body, status, headers } = response
      if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) return response
      const request = JSON.parse(init?.body as string) as KeptStream['request']
      const { pathname } = new URL(input instanceof Request ? input.url : input)
      const stream = { text: '', path: pathname, request }
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
      for (const stream of streams) {
        const { problems, calls } = checks[stream.path]!(stream, usedIds)
        expect(problems, stream.text).toEqual([])
        usedIds.push(...calls.map(({ id }) => id))
      }
    },
  }
}
