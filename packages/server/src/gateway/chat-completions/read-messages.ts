import { isImageUrl, isObject } from '@toolglot/agent/internal'
import {
  expectList,
  expectObject,
  expectOneOf,
  expectText,
  type Fields,
  invalid,
  refused,
} from '../expect.ts'
import type { ConversationCall, ConversationItem } from '../request.ts'

type Part = { readonly type: 'text'; readonly text: string } | ImagePart
interface ImagePart {
  readonly type: 'image'
  readonly url: string
}

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
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: readText(`${where}.content`, content) }
    case 'user': {
      const parts = readParts(`${where}.content`, content)
      const isText = parts.every(({ type }) => type === 'text')
      return { role, content: isText ? textOf(parts) : parts }
    }
    case 'assistant':
      return {
        role,
        content: readText(`${where}.content`, content),
        calls: readCalls(`${where}.tool_calls`, message['tool_calls']),
      }
    case 'tool':
      return {
        role: 'result',
        call: expectText(`${where}.tool_call_id`, message['tool_call_id']),
        output: readText(`${where}.content`, content),
      }
  }
}

/** The text of a content that must not contain anything else. */
function readText(where: string, content: unknown): string {
  const parts = readParts(where, content)
  const at = parts.findIndex(({ type }) => type !== 'text')
  if (at >= 0)
    throw refused(`${where}[${at}]`, 'images in this message', 'put them in a user message')
  return textOf(parts)
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n')
}

/** A content is a text, a list of parts, or nothing. */
function readParts(where: string, content: unknown): readonly Part[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw invalid(where, 'a string, a list of parts or null', content)
  return content.map((part: unknown, at) => readPart(`${where}[${at}]`, part))
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
    // An address in plain HTTP is more likely to be one of this network than that of an image.
    if (!isImageUrl(url) || url.startsWith('http:'))
      throw invalid(`${where}.image_url.url`, 'data:image/…;base64,… or https://…', url)
    return { type: 'image', url }
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

/** Arguments are JSON in a string. What another model wrote may not be JSON: it is kept as a text. */
function readArguments(where: string, value: unknown): Fields {
  if (isObject(value)) return value
  const text = value === undefined || value === null ? '' : expectText(where, value)
  if (text.trim() === '') return {}
  try {
    const args: unknown = JSON.parse(text)
    if (isObject(args)) return args
  } catch {
    // Not JSON.
  }
  return { arguments: text }
}
