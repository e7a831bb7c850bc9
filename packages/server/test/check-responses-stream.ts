import { asFields, type CheckedStream, isText, parsed, startCheck } from './checked-stream.ts'

type Fields = Readonly<Record<string, unknown>>

/** Checks the events of a streamed response, in the order in which they were sent. */
export function checkResponsesStream(
  sse: string,
  options?: { readonly usedIds?: Iterable<string> },
): CheckedStream {
  const { events, problems, problem, ids, calls, texts } = startCheck(sse, options)
  const output: Fields[] = []
  let open: { readonly index: number; readonly id: unknown; readonly type: unknown } | undefined
  let delta = ''
  let begun = 0
  let sequence = 0
  let finish: string | undefined
  let usage: Fields | undefined
  let error: Fields | undefined

  for (const { name, data } of events) {
    const type = String(data['type'])
    if (name !== type) problem(`the event ${name} has the type ${type}`)
    if (data['sequence_number'] !== sequence++) problem('the sequence numbers have a gap')
    if (finish !== undefined) problem('something follows the end')
    if (begun < 2 && !/^response\.(created|in_progress)$/.test(type))
      problem(`${type} comes before response.created and response.in_progress`)
    read(type, data)
  }
  if (finish === undefined) problem('the end is missing')
  if (finish === 'completed' && !calls.every((call) => parsed(call.arguments)))
    problem('a call is unfinished')
  return { problems, ...texts, calls, finish, usage, error }

  function read(type: string, data: Fields): void {
    switch (type) {
      case 'response.created':
      case 'response.in_progress':
        begun++
        return checkResponse(data, 'in_progress')
      case 'response.completed':
      case 'response.incomplete': {
        if (open) problem('an item is open at the end')
        finish = type.slice('response.'.length)
        checkResponse(data, finish)
        usage = asFields(asFields(data['response'])?.['usage'])
        if (!usage || !Number.isInteger(usage['input_tokens'])) problem('usage is missing')
        return
      }
      case 'error':
        error = asFields(data['error']) ?? {}
        if (!isText(error['code']) || !isText(error['message']))
          problem('an error lacks its code or message')
        return
      case 'response.failed':
        if (!error) problem('it failed without an error')
        finish = 'failed'
        return checkResponse(data, finish)
      case 'response.output_item.added':
        if (open) problem('an item starts inside another')
        if (data['output_index'] !== output.length) problem('the indexes of items have a gap')
        return addItem(asFields(data['item']) ?? {})
      case 'response.output_item.done':
        return endItem(asFields(data['item']) ?? {})
      default:
        return readPart(type, data)
    }
  }

  function checkResponse(data: Fields, status: string): void {
    const response = asFields(data['response']) ?? {}
    if (!isText(response['id']) || response['object'] !== 'response') problem('no response object')
    if (response['status'] !== status) problem(`the status is not ${status}`)
    if (JSON.stringify(response['output']) !== JSON.stringify(output))
      problem('the output is not what was streamed')
    for (const key of ['model', 'tools', 'tool_choice', 'parallel_tool_calls', 'created_at'])
      if (!(key in response)) problem(`the response lacks ${key}`)
    const isIncomplete = response['incomplete_details'] !== null
    if (isIncomplete !== (status === 'incomplete')) problem('incomplete_details is not true')
  }

  function addItem(item: Fields): void {
    const { id, type } = item
    if (!isText(id)) problem('an item has no id')
    open = { index: output.length, id, type }
    delta = ''
    if (type === 'function_call' || type === 'custom_tool_call') {
      const call = item['call_id']
      if (!isText(call) || !isText(item['name'])) problem('a call has no id or name')
      else if (ids.has(call)) problem('the id of a call was used before')
      ids.add(String(call))
      if ((item['arguments'] ?? item['input']) !== '') problem('a call begins with its arguments')
    } else if (type !== 'message' && type !== 'reasoning')
      problem(`an item has the type ${String(type)}`)
  }

  function readPart(type: string, data: Fields): void {
    if (!open || data['item_id'] !== open.id || data['output_index'] !== open.index)
      return problem(`${type} belongs to no open item`)
    if (type.endsWith('.delta')) delta += String(data['delta'])
    else if (type.endsWith('.done') && !type.includes('part')) {
      const whole = data['text'] ?? data['arguments'] ?? data['input']
      if (whole !== delta) problem(`${type} is not what was streamed`)
    }
    const kinds: Record<string, readonly string[]> = {
      message: ['output_text', 'content_part'],
      reasoning: ['reasoning_summary_part', 'reasoning_summary_text'],
      function_call: ['function_call_arguments'],
      custom_tool_call: ['custom_tool_call_input'],
    }
    const known = kinds[String(open.type)] ?? []
    if (!known.some((kind) => type.startsWith(`response.${kind}.`)))
      problem(`an item of ${String(open.type)} has ${type}`)
  }

  function endItem(item: Fields): void {
    if (item['id'] !== open?.id || item['type'] !== open?.type) problem('an item ends as another')
    open = undefined
    output.push(item)
    if (item['type'] === 'message') texts.text += delta
    else if (item['type'] === 'reasoning') texts.reasoning += delta
    else {
      const isCustom = item['type'] === 'custom_tool_call'
      const args = isCustom ? JSON.stringify({ input: item['input'] }) : String(item['arguments'])
      if (!isCustom && args !== delta) problem('the arguments are not what was streamed')
      calls.push({ id: String(item['call_id']), name: String(item['name']), arguments: args })
      if (item['status'] !== 'completed') problem('a call is not completed')
    }
  }
}
