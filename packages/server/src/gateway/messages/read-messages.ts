import { isObject } from '@toolglot/agent/internal'
import { contentOf, type Part, readImage, readParts, resultOf, textOf } from '../content.ts'
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

/** Reads the instructions of a request: a string, or a list of text blocks. */
export function readSystem(value: unknown, notes: string[]): readonly ConversationItem[] {
  return readParts('system', value, readTextPart).flatMap((part): ConversationItem[] => {
    const text = textOf([part])
    if (!text.startsWith(BILLING)) return [{ role: 'system', content: text }]
    notes.push('dropped:billing-header')
    return []
  })
}

/**
 * Claude Code's accounting. It differs in every request, so with it no prompt would continue the
 * previous one.
 */
const BILLING = 'x-anthropic-billing-header'

/** Reads the messages of a request. */
export function readMessages(value: unknown): readonly ConversationItem[] {
  const list = expectList('messages', value, MAX_MESSAGES)
  return list.flatMap((each, at) => readMessage(`messages[${at}]`, each))
}

const MAX_MESSAGES = 20_000

function readMessage(where: string, value: unknown): readonly ConversationItem[] {
  const message = expectObject(where, value)
  const role = expectOneOf(`${where}.role`, message['role'], ['user', 'assistant', 'system'])
  const content = `${where}.content`
  const given = message['content']
  switch (role) {
    case 'system':
      return [{ role, content: textOf(readParts(content, given, readTextPart)) }]
    case 'assistant':
      return [readReply(content, given)]
    case 'user':
      return readUser(content, given)
  }
}

/** A user message: the results of the last calls, and the user's text. */
function readUser(where: string, content: unknown): readonly ConversationItem[] {
  const blocks = typeof content === 'string' ? content : expectList(where, content, MAX_BLOCKS)
  if (typeof blocks === 'string') return [{ role: 'user', content: blocks }]
  const results: ConversationItem[] = []
  const parts: Part[] = []
  blocks.forEach((value, at) => {
    const block = expectObject(`${where}[${at}]`, value)
    if (block['type'] === 'tool_result') results.push(readResult(`${where}[${at}]`, block))
    else parts.push(readPart(`${where}[${at}]`, block))
  })
  if (parts.length === 0 && results.length > 0) return results
  return [...results, { role: 'user', content: contentOf(parts) }]
}

const MAX_BLOCKS = 20_000

function readResult(where: string, block: Fields): ConversationItem {
  const parts = readParts(`${where}.content`, block['content'], readPart)
  const result = resultOf(expectText(`${where}.tool_use_id`, block['tool_use_id']), parts)
  return block['is_error'] === true ? { ...result, failed: true } : result
}

/** A reply: its text and its calls. Thinking and the use of a provider's own tools are omitted. */
function readReply(where: string, content: unknown): ConversationItem {
  if (typeof content === 'string') return { role: 'assistant', content, calls: [] }
  const texts: string[] = []
  const calls: ConversationCall[] = []
  expectList(where, content, MAX_BLOCKS).forEach((value, at) => {
    const here = `${where}[${at}]`
    const block = expectObject(here, value)
    const type = expectText(`${here}.type`, block['type'])
    if (type === 'text') texts.push(expectText(`${here}.text`, block['text']))
    else if (type === 'tool_use')
      calls.push({
        id: expectText(`${here}.id`, block['id']),
        name: expectText(`${here}.name`, block['name']),
        args: expectObject(`${here}.input`, block['input']),
      })
    else if (!isPrivate(type)) throw invalid(`${here}.type`, 'text, tool_use or thinking', type)
  })
  return { role: 'assistant', content: texts.join('\n\n'), calls }
}

/** True if a block of a reply is useless to other models. */
function isPrivate(type: string): boolean {
  return /^(?:(?:redacted_)?thinking|server_tool_use|\w+_tool_result|compaction)$/.test(type)
}

function readPart(where: string, value: unknown): Part {
  const block = expectObject(where, value)
  const { type, source } = block
  if (type === 'text') return { type, text: expectText(`${where}.text`, block['text']) }
  if (type === 'image') return readImage(`${where}.source`, imageUrl(source))
  if (type === 'document' && isObject(source) && source['type'] === 'text')
    return { type: 'text', text: expectText(`${where}.source.data`, source['data']) }
  if (type === 'tool_reference')
    return { type: 'text', text: expectText(`${where}.tool_name`, block['tool_name']) }
  if (type === 'document' || type === 'search_result' || type === 'container_upload')
    throw refused(`${where}.type`, `blocks of the type ${type}`, 'send their content as text')
  throw invalid(`${where}.type`, 'text, image or tool_result', type)
}

function readTextPart(where: string, value: unknown): Part {
  const block = expectObject(where, value)
  if (block['type'] !== 'text') throw invalid(`${where}.type`, 'text', block['type'])
  return { type: 'text', text: expectText(`${where}.text`, block['text']) }
}

/** The URL of an image, whose source is Base64 or a URL. */
function imageUrl(source: unknown): unknown {
  if (!isObject(source)) return source
  const { type, data, url } = source
  const kind = source['media_type']
  if (type !== 'base64') return url
  return typeof kind === 'string' && typeof data === 'string'
    ? `data:${kind};base64,${data}`
    : undefined
}
