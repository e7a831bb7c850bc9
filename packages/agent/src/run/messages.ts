import type { Message } from '../context/message.ts'
import { type Content, CONTENT, isContent } from '../model/chat-message.ts'
import { checkFields } from '../options/check-fields.ts'
import { type FieldRules, listOf, oneOf, required, type Rule, text } from '../options/rule.ts'
import { mustBe } from '@toolglot/permissions/errors/internal'
import { isObject } from '../tool/json-schema.ts'

/** The messages at the start of a conversation. */
export function messagesOf({
  system,
  messages = [],
  prompt,
}: {
  readonly system?: string
  readonly messages?: readonly Message[]
  readonly prompt?: Content
}): readonly Message[] {
  return [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    ...messages,
    ...(prompt === undefined ? [] : [{ role: 'user' as const, content: prompt }]),
  ]
}

/** Throws if there is no message to reply to. */
export function checkMessages(messages: readonly Message[]): void {
  if (messages.every(({ role }) => role === 'system'))
    throw new TypeError('messages must include a user message, unless there is a prompt.')
}

/**
 * Throws a TypeError that describes the first invalid message. Without this check, fields of other
 * APIs would be lost silently.
 */
export function checkMessageList(
  messages: readonly unknown[],
): asserts messages is readonly Message[] {
  messages.forEach((message, index) => {
    const where = `messages[${index}]`
    const role = isObject(message) ? message['role'] : undefined
    const rules = isRole(role) ? RULES[role] : undefined
    if (!rules)
      throw new TypeError(
        mustBe(where, `a message with the role ${Object.keys(RULES).join(', ')}`, role ?? message),
      )
    checkFields(where, message, rules, { advice: ADVICE })
  })
}

function isRole(role: unknown): role is keyof typeof RULES {
  return typeof role === 'string' && Object.hasOwn(RULES, role)
}

const ADVICE = {
  tool_calls: 'Use calls instead: { id, name, args }, where args is an object.',
  tool_call_id: 'Results are messages with the role results.',
}

/** The content of a user message. */
export const content: Rule = { expected: CONTENT, test: isContent }

const call: Rule = {
  expected: 'a call',
  test: (value) =>
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['name'] === 'string' &&
    isObject(value['args']),
}

const result: Rule = {
  expected: 'a result',
  test: (value) =>
    isObject(value) && call.test(value['call']) && typeof value['output'] === 'string',
}

const onlyTrue: Rule = { expected: 'true', test: (value) => value === true }

const RULES = {
  system: { role: required(oneOf('system')), content: required(text) },
  user: { role: required(oneOf('user')), content: required(content) },
  assistant: {
    role: required(oneOf('assistant')),
    content: required(text),
    calls: listOf(call, 'calls: { id, name, args }'),
    protocol: text,
  },
  results: {
    role: required(oneOf('results')),
    results: required(listOf(result, 'results: { call: { id, name, args }, output }')),
    notes: listOf(text, 'texts'),
    printed: onlyTrue,
  },
} satisfies Record<Message['role'], FieldRules>
