import type { FetchLike } from '@modelcontextprotocol/client'

/** In bytes: more than this no server says in one answer. */
const LARGEST = 32 << 20

/** Fetches, and reads no answer without end. */
export const boundedFetch: FetchLike = async (url, options) => {
  const response = await fetch(url, options)
  if (!response.body || (response.status >= 300 && response.status < 400)) return response
  let size = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length
        if (size > LARGEST) controller.error(new Error(`It said more than ${LARGEST} bytes.`))
        else controller.enqueue(chunk)
      },
    }),
  )
  const { status, statusText, headers } = response
  return new Response(counted, { status, statusText, headers })
}
