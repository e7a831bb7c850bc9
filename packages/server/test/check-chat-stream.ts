import { asFields, type CheckedStream, isText, parsed } from './checked-stream.ts'

/** Expectations of a client, besides the order of events. */
export interface StreamExpectations {
  /** True if the request included usage. */
  readonly usage: boolean
  /** The ids of the calls in the conversation so far. */
  readonly usedIds?: Iterable<string>
}

type Fields = Readonly<Record<string, unknown>>

/** Checks the events of a streamed chat completion, in the order in which they were sent. */
export function checkChatStream(
  sse: string,
  { usage: usageAsked, usedIds = [] }: StreamExpectations,
): CheckedStream {
  const problems: string[] = []
  const calls: { id: string; name: string; arguments: string }[] = []
  const ids = new Set(usedIds)
  let text = ''
  let reasoning = ''
  let streamId: unknown
  let hasRole = false
  let finish: string | undefined
  let usage: Fields | undefined
  let error: Fields | undefined
  let isDone = false

  for (const data of datasOf(sse)) {
    if (error) problem('something follows the error')
    if (isDone) problem('something follows [DONE]')
    if (data === '[DONE]') {
      isDone = true
      continue
    }
    const chunk = parsed(data)
    if (!chunk) {
      problem(`an event is not a JSON object: ${data.slice(0, 80)}`)
      continue
    }
    if ('error' in chunk) readError(chunk['error'])
    else readChunk(chunk)
  }
  readEnd()
  return { problems, text, reasoning, calls, finish, usage, error }

  function problem(what: string): void {
    problems.push(what)
  }

  function datasOf(stream: string): string[] {
    if (!stream.endsWith('\n\n')) problem('the last event is not ended by an empty line')
    return stream.split('\n\n').flatMap((event) => {
      // A comment keeps the connection alive.
      const lines = event.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
      if (lines.length === 0) return []
      if (lines.length === 1 && lines[0]!.startsWith('data: ')) return [lines[0]!.slice(6)]
      problem(`an event is not one line of data: ${event.slice(0, 80)}`)
      return []
    })
  }

  function readError(value: unknown): void {
    error = asFields(value)
    if (finish !== undefined) problem('an error follows the finish reason')
    if (!error || !isText(error['message']) || !isText(error['type']) || !isText(error['code']))
      problem('an error lacks its message, type or code')
    error ??= {}
  }

  function readChunk(chunk: Fields): void {
    if (chunk['object'] !== 'chat.completion.chunk') problem('a chunk has another object')
    if (!isText(chunk['id'])) problem('a chunk has no id')
    if (typeof chunk['created'] !== 'number') problem('a chunk has no time')
    if (!isText(chunk['model'])) problem('a chunk has no model')
    streamId ??= chunk['id']
    if (chunk['id'] !== streamId) problem('the id of the chunks changes')
    const choices = chunk['choices']
    if (!Array.isArray(choices)) return problem('a chunk has no choices')
    if (chunk['usage'] !== undefined && chunk['usage'] !== null) {
      readUsage(asFields(chunk['usage']), choices.length)
    } else if (choices.length === 0) {
      problem('a chunk has neither choices nor usage')
    }
    if (choices.length > 1) problem('a chunk has several choices')
    for (const choice of choices) readChoice(asFields(choice) ?? {})
  }

  function readUsage(given: Fields | undefined, choices: number): void {
    if (!usageAsked) problem('there is usage that was not asked for')
    if (choices > 0) problem('the chunk with usage has choices')
    if (finish === undefined) problem('usage comes before the finish reason')
    if (usage) problem('usage comes twice')
    usage = given ?? {}
    const counts = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((key) => usage![key])
    if (!counts.every((count) => Number.isInteger(count)))
      return problem('a count of usage is missing')
    const [input, output, total] = counts as number[]
    if (input! + output! !== total) problem('usage does not add up')
  }

  function readChoice(choice: Fields): void {
    if (choice['index'] !== 0) problem('a choice has no index')
    const delta = asFields(choice['delta'])
    if (!delta) return problem('a choice has no delta')
    if (finish !== undefined) problem('a choice follows the finish reason')
    if (!hasRole && delta['role'] !== 'assistant') problem('the first delta has no role')
    if (hasRole && 'role' in delta) problem('the role comes twice')
    hasRole = true
    text += textIn(delta, 'content')
    reasoning += textIn(delta, 'reasoning_content')
    if ('tool_calls' in delta) readCalls(delta['tool_calls'])
    const reason = choice['finish_reason']
    if (reason === null) return
    if (!isText(reason)) return problem('a choice has no finish_reason: null is expected')
    finish = reason
  }

  function textIn(delta: Fields, key: string): string {
    const value = delta[key]
    if (value === undefined || value === null) return ''
    if (typeof value === 'string') return value
    problem(`${key} is not text`)
    return ''
  }

  function readCalls(value: unknown): void {
    if (!Array.isArray(value) || value.length === 0) return problem('tool_calls is not a list')
    for (const each of value) readCall(asFields(each) ?? {})
  }

  function readCall(part: Fields): void {
    const { index, id, type } = part
    const { name, arguments: args } = asFields(part['function']) ?? {}
    if (typeof index !== 'number') return problem('a call has no index')
    const known = calls[index]
    if (args !== undefined && typeof args !== 'string') problem('arguments are not a string')
    const piece = typeof args === 'string' ? args : ''
    if (known) {
      if (name !== undefined) problem('the name of a call comes twice')
      if (id !== undefined) problem('the id of a call comes twice')
      known.arguments += piece
      return
    }
    if (index !== calls.length) return problem('the indexes of the calls have a gap')
    if (!isText(id)) problem('the first delta of a call has no id')
    else if (ids.has(id)) problem('the id of a call was used before')
    else ids.add(id)
    if (type !== 'function') problem('the first delta of a call has no type')
    if (!isText(name)) problem('the first delta of a call has no name')
    if (args === undefined) problem('the first delta of a call has no arguments')
    calls.push({ id: String(id), name: String(name), arguments: piece })
  }

  function readEnd(): void {
    if (error) return
    if (!isDone) problem('[DONE] is missing')
    if (usageAsked && !usage) problem('usage is missing')
    if (finish === undefined) return problem('the finish reason is missing')
    if (!['stop', 'length', 'tool_calls'].includes(finish)) problem('the finish reason is unknown')
    if (finish === 'tool_calls' && calls.length === 0) problem('it finished with calls it has not')
    if (finish === 'stop' && calls.length > 0) problem('it has calls and finished without')
    if (!calls.every((call) => parsed(call.arguments))) problem('a call is unfinished')
  }
}
