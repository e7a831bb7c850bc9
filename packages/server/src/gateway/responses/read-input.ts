import { contentOf, onlyText, type Part, readImage, readParts, resultOf } from '../content.ts'
import {
  expectList,
  expectObject,
  expectOneOf,
  expectText,
  type Fields,
  invalid,
  refused,
} from '../expect.ts'
import { readArguments } from '../read-json.ts'
import type { ConversationItem } from '../request.ts'
import { type InputItem, flatName } from './history.ts'

/** Reads the input of a request: a string, or a list of items. Omitted items are noted. */
export function readInput(value: unknown, notes: string[]): readonly InputItem[] {
  if (typeof value === 'string') return [{ role: 'user', content: value }]
  return expectList('input', value, MAX_ITEMS).flatMap((each, at): InputItem[] => {
    const where = `input[${at}]`
    const item = expectObject(where, each)
    const { type = 'message' } = item
    if (typeof type === 'string' && LEFT_OUT.has(type)) {
      if (type !== 'reasoning') notes.push(`dropped:${type}`)
      return []
    }
    return [readItem(where, type, item)]
  })
}

const MAX_ITEMS = 20_000

/** Items that are useless to other models. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'reasoning',
  'web_search_call',
  'tool_search_call',
  'tool_search_output',
])

function readItem(where: string, type: unknown, item: Fields): InputItem {
  switch (type) {
    case 'message':
      return readMessage(where, item)
    case 'function_call':
      return readCall(where, item, readArguments(`${where}.arguments`, item['arguments']))
    case 'custom_tool_call':
      return readCall(where, item, { input: expectText(`${where}.input`, item['input']) })
    case 'function_call_output':
    case 'custom_tool_call_output':
      return readResult(where, item)
    case 'item_reference':
      return { role: 'reference', id: expectText(`${where}.id`, item['id']), where: `${where}.id` }
    default:
      throw invalid(
        `${where}.type`,
        'message, function_call, function_call_output, custom_tool_call, custom_tool_call_output, reasoning or item_reference',
        type,
      )
  }
}

function readMessage(where: string, message: Fields): ConversationItem {
  const content = `${where}.content`
  const role = expectOneOf(`${where}.role`, message['role'], [
    'system',
    'developer',
    'user',
    'assistant',
  ])
  const parts = readParts(content, message['content'], readPart)
  if (role === 'user') return { role, content: contentOf(parts) }
  const text = onlyText(content, parts)
  if (role === 'assistant') return { role, content: text, calls: [] }
  return { role: 'system', content: text }
}

function readCall(where: string, item: Fields, args: Fields): ConversationItem {
  const { namespace } = item
  const name = expectText(`${where}.name`, item['name'])
  const call = {
    id: expectText(`${where}.call_id`, item['call_id']),
    name: typeof namespace === 'string' ? flatName(namespace, name) : name,
    args,
  }
  return { role: 'assistant', content: '', calls: [call] }
}

function readResult(where: string, item: Fields): ConversationItem {
  const parts = readParts(`${where}.output`, item['output'], readPart)
  return resultOf(expectText(`${where}.call_id`, item['call_id']), parts)
}

function readPart(where: string, value: unknown): Part {
  const part = expectObject(where, value)
  const { type } = part
  if (type === 'input_text' || type === 'output_text' || type === 'text')
    return { type: 'text', text: expectText(`${where}.text`, part['text']) }
  if (type === 'refusal')
    return { type: 'text', text: expectText(`${where}.refusal`, part['refusal']) }
  if (type === 'input_image') return readImage(`${where}.image_url`, part['image_url'])
  if (type === 'input_file' || type === 'input_audio')
    throw refused(`${where}.type`, `parts of the type ${type}`, 'send their content as text')
  throw invalid(`${where}.type`, 'input_text, output_text or input_image', type)
}
