import { Transform } from 'node:stream'
import { duplicateKeyProblem } from '@toolglot/agent/internal'
import { INVALID_PARAMS, STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server'

/** How to refuse a message with a duplicate key, which is ambiguous; `answer` is the response if one is expected. */
export function duplicateKeyRefusal(
  json: string,
): { problem: string; answer?: object } | undefined {
  let message: unknown
  try {
    message = JSON.parse(json)
  } catch {
    return undefined // The next reader reports it.
  }
  const problem = duplicateKeyProblem(json)
  if (problem === undefined) return undefined
  const { id, method } = Object(message) as { id?: unknown; method?: unknown }
  const error = { code: INVALID_PARAMS, message: `invalid_input: ${problem}` }
  const isAsking = method !== undefined && (typeof id === 'string' || typeof id === 'number')
  return { problem, ...(isAsking && { answer: { jsonrpc: '2.0', id, error } }) }
}

/** Passes messages through, one per line, except those with duplicate keys, which go to `refuse`. */
export function unambiguousLines(
  refuse: (refusal: NonNullable<ReturnType<typeof duplicateKeyRefusal>>) => void,
): Transform {
  let held: Buffer[] = []
  let length = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        const line = Buffer.concat([...held, chunk.subarray(from, end + 1)])
        held = []
        length = 0
        from = end + 1
        const refusal = duplicateKeyRefusal(line.toString('utf8'))
        if (refusal) refuse(refusal)
        else this.push(line)
      }
      held.push(chunk.subarray(from))
      length += chunk.length - from
      // Longer than a message may be: the next reader reports it.
      if (length > STDIO_DEFAULT_MAX_BUFFER_SIZE) for (const part of held.splice(0)) this.push(part)
      done()
    },
  })
}
