import { asFields, type CheckedStream, isText, parsed, startCheck } from './checked-stream.ts'

type Fields = Readonly<Record<string, unknown>>

/** Checks the events of a streamed message, in the order in which they were sent. */
export function checkMessagesStream(
  sse: string,
  options?: { readonly usedIds?: Iterable<string> },
): CheckedStream {
  const { events, problems, problem, ids, calls, texts } = startCheck(sse, options)
  let state = 'new' as 'new' | 'begun' | 'ending' | 'over'
  let open: { readonly index: number; readonly type: string } | undefined
  let blocks = 0
  let finish: string | undefined
  let usage: Fields | undefined
  let error: Fields | undefined

  for (const { name, data } of events) {
    const type = data['type']
    if (name !== type) problem(`the event ${name} has the type ${String(type)}`)
    if (error) problem('something follows the error')
    if (state === 'over') problem('something follows message_stop')
    if (type === 'ping') continue
    if (state === 'new' && type !== 'message_start' && type !== 'error')
      problem('the first event is not message_start')
    if (state === 'ending' && type !== 'message_stop') problem('something follows message_delta')
    read(String(type), data)
  }
  if (!error) {
    if (state !== 'over') problem('message_stop is missing')
    if (finish === 'tool_use' && calls.length === 0) problem('it finished with calls it has not')
    if (finish === 'end_turn' && calls.length > 0) problem('it has calls and finished without')
    if (!calls.every((call) => parsed(call.arguments))) problem('a call is unfinished')
  }
  return { problems, ...texts, calls, finish, usage, error }

  function read(type: string, data: Fields): void {
    const index = data['index'] as number
    switch (type) {
      case 'message_start': {
        if (state !== 'new') problem('message_start comes twice')
        state = 'begun'
        const message = asFields(data['message']) ?? {}
        if (!isText(message['id']) || !isText(message['model'])) problem('the message has no id')
        if (message['role'] !== 'assistant' || message['type'] !== 'message')
          problem('the message has no role or type')
        if (message['stop_reason'] !== null) problem('the message ends before it begins')
        checkUsage(asFields(message['usage']))
        return
      }
      case 'content_block_start': {
        if (open) problem('a block starts inside another')
        if (index !== blocks++) problem('the indexes of the blocks have a gap')
        const block = asFields(data['content_block']) ?? {}
        open = { index, type: String(block['type']) }
        if (block['type'] === 'tool_use') startCall(block)
        else if (block['type'] !== 'text' && block['type'] !== 'thinking')
          problem(`a block has the type ${String(block['type'])}`)
        return
      }
      case 'content_block_delta': {
        if (open?.index !== index) return problem('a delta belongs to no open block')
        return readDelta(open.type, asFields(data['delta']) ?? {})
      }
      case 'content_block_stop':
        if (open?.index !== index) problem('a block stops that is not open')
        open = undefined
        return
      case 'message_delta': {
        if (open) problem('a block is open at the end')
        state = 'ending'
        finish = asFields(data['delta'])?.['stop_reason'] as string
        if (!['end_turn', 'tool_use', 'max_tokens', 'stop_sequence'].includes(finish))
          problem('the stop reason is unknown')
        usage = asFields(data['usage'])
        checkUsage(usage)
        return
      }
      case 'message_stop':
        if (state !== 'ending') problem('message_stop comes before message_delta')
        state = 'over'
        return
      case 'error':
        error = asFields(data['error']) ?? {}
        if (!isText(error['type']) || !isText(error['message']))
          problem('an error lacks its type or message')
        return
      default:
        problem(`the event ${type} is unknown`)
    }
  }

  function startCall({ id, name, input }: Fields): void {
    if (!isText(id) || !isText(name)) problem('a call has no id or name')
    else if (ids.has(id)) problem('the id of a call was used before')
    ids.add(String(id))
    if (JSON.stringify(input) !== '{}') problem('arguments come at the start of a call')
    calls.push({ id: String(id), name: String(name), arguments: '' })
  }

  function readDelta(block: string, delta: Fields): void {
    const expected = {
      text: 'text_delta',
      thinking: 'thinking_delta',
      tool_use: 'input_json_delta',
    }
    const { type } = delta
    if (type === 'signature_delta' && block === 'thinking') return
    if (type !== expected[block as keyof typeof expected])
      return problem(`a block of ${block} has the delta ${String(type)}`)
    if (block === 'text') texts.text += String(delta['text'])
    else if (block === 'thinking') texts.reasoning += String(delta['thinking'])
    else calls.at(-1)!.arguments += String(delta['partial_json'])
  }

  function checkUsage(counts: Fields | undefined): void {
    if (
      !counts ||
      !Number.isInteger(counts['input_tokens']) ||
      !Number.isInteger(counts['output_tokens'])
    )
      problem('a count of usage is missing')
  }
}
