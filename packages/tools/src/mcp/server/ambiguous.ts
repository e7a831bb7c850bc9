import { Transform } from 'node:stream'
import { duplicateKeyProblem } from '@toolglot/agent/internal'
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  PARSE_ERROR,
  parseJSONRPCMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from '@modelcontextprotocol/server'

/** The reason why a message is refused. `answer` is the response, if one is required. */
export interface Refusal {
  readonly problem: string
  readonly answer?: object
}

/**
 * The refusal of a message with a duplicate key, which is ambiguous. Undefined for other messages.
 */
export function duplicateKeyRefusal(json: string): Refusal | undefined {
  let message: unknown
  try {
    message = JSON.parse(json)
  } catch {
    return undefined // Invalid JSON is reported by the next reader.
  }
  const problem = duplicateKeyProblem(json)
  if (problem === undefined) return undefined
  const { id, method } = Object(message) as { id?: unknown; method?: unknown }
  const isAsking = method !== undefined && isId(id)
  return {
    problem,
    answer: isAsking ? errorFor(id, INVALID_PARAMS, `invalid_input: ${problem}`) : undefined,
  }
}

/** The refusal of a line that is not a JSON-RPC message. Undefined for other lines. */
function invalidRefusal(line: string): Refusal | undefined {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    const problem = 'The message is not valid JSON.'
    return { problem, answer: errorFor(null, PARSE_ERROR, problem) }
  }
  try {
    parseJSONRPCMessage(message)
    return undefined
  } catch {
    const problem = 'The message is not a JSON-RPC request.'
    const { id, result, error } = Object(message) as Record<string, unknown>
    // A response needs no answer.
    if (result !== undefined || error !== undefined) return { problem }
    return { problem, answer: errorFor(isId(id) ? id : null, INVALID_REQUEST, problem) }
  }
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || typeof id === 'number'
}

function errorFor(id: unknown, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** Passes messages through, one per line. Invalid and ambiguous ones go to `refuse` instead. */
export function unambiguousLines(refuse: (refusal: Refusal) => void): Transform {
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
        const text = line.toString('utf8')
        if (text.trim() === '') continue
        const refusal = duplicateKeyRefusal(text) ?? invalidRefusal(text)
        if (refusal) refuse(refusal)
        else this.push(line)
      }
      held.push(chunk.subarray(from))
      length += chunk.length - from
      // The line exceeds the maximum length, which the next reader reports.
      if (length > STDIO_DEFAULT_MAX_BUFFER_SIZE) for (const part of held.splice(0)) this.push(part)
      done()
    },
  })
}
