import { isObject } from '@toolglot/agent/internal'
import { contentOf, onlyText, type Part, readImage, readParts, resultOf } from '../content.ts'
import { expectList, expectObject, expectOneOf, expectText, invalid, refused } from '../expect.ts'
import { readArguments } from '../read-arguments.ts'
import type { ConversationCall, ConversationItem } from '../request.ts'

/** Reads the messages of a chat completion. */
export function readMessages(value: unknown): readonly ConversationItem[] {
  const list = expectList('messages', value, MAX_MESSAGES)
  return list.map((each, at) => readMessage(`messages[${at}]`, each))
}

const MAX_MESSAGES = 20_000

function readMessage(where: string, value: unknown): ConversationItem {
  const message = expectObject(where, value)
  const { content } = message
  if (message['role'] === 'function')
    throw refused(`${where}.role`, 'the role function, which is deprecated', 'use the role tool')
  const role = expectOneOf(`${where}.role`, message['role'], [
    'system',
    'developer',
    'user',
    'assistant',
    'tool',
  ])
  const parts = readParts(`${where}.content`, content, readPart)
  const text = (): string => onlyText(`${where}.content`, parts)
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: text() }
    case 'user':
      return { role, content: contentOf(parts) }
    case 'assistant':
      return {
        role,
        content: text(),
        calls: readCalls(`${where}.tool_calls`, message['tool_calls']),
      }
    case 'tool':
      return resultOf(expectText(`${where}.tool_call_id`, message['tool_call_id']), parts)
  }
}

function readPart(where: string, value: unknown): Part {
  const part = expectObject(where, value)
  const { type } = part
  if (type === 'text') return { type, text: expectText(`${where}.text`, part['text']) }
  if (type === 'refusal')
    return { type: 'text', text: expectText(`${where}.refusal`, part['refusal']) }
  if (type === 'image_url') {
    const image = part['image_url']
    const url = isObject(image) ? image['url'] : image
    return readImage(`${where}.image_url.url`, url)
  }
  if (type === 'input_audio' || type === 'file')
    throw refused(`${where}.type`, `parts of the type ${type}`, 'send their content as text')
  throw invalid(`${where}.type`, 'text or image_url', type)
}

function readCalls(where: string, value: unknown): readonly ConversationCall[] {
  if (value === undefined || value === null) return []
  return expectList(where, value, MAX_CALLS).map((each, at) => {
    const call = expectObject(`${where}[${at}]`, each)
    const id = expectText(`${where}[${at}].id`, call['id'])
    const { custom } = call
    if (isObject(custom)) {
      const { name, input } = custom
      return {
        id,
        name: expectText(`${where}[${at}].custom.name`, name),
        args: { input: expectText(`${where}[${at}].custom.input`, input) },
      }
    }
    const wanted = expectObject(`${where}[${at}].function`, call['function'])
    return {
      id,
      name: expectText(`${where}[${at}].function.name`, wanted['name']),
      args: readArguments(`${where}[${at}].function.arguments`, wanted['arguments']),
    }
  })
}

const MAX_CALLS = 1000
