import { printPrompt, type Protocol } from '@toolglot/core'
import type { ChatRendering } from './chat-rendering.ts'
import type { Message, SystemMessage } from './message.ts'

/** Where the description of the tools is inserted into a system message. */
const PLACEHOLDER = '{{tools}}'

/** Adds the description of the tools to a system message: at its placeholder, or else at the end of the first one. */
export function addToolPrompt(
  messages: readonly Message[],
  rendering: ChatRendering,
): readonly Message[] {
  const prompt = promptOf(rendering)
  const at = systemIndex(messages)
  const target = messages[at]
  if (target?.role !== 'system')
    return prompt === '' ? messages : [systemOf(rendering, prompt), ...messages]
  const extended = withPrompt(target, prompt)
  if (extended === target) return messages
  const all = messages.slice()
  all[at] = extended
  return all
}

/** Where the first system message with a placeholder is, or else the first system message; -1 if there is none. */
function systemIndex(messages: readonly Message[]): number {
  let first = -1
  // Every turn looks through the whole history.
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!
    if (message.role !== 'system') continue
    if (message.content.includes(PLACEHOLDER)) return at
    if (first < 0) first = at
  }
  return first
}

/** The last description of a list of tools. */
interface ToolPrompt {
  readonly protocol: Protocol
  readonly prompt: string
}

const toolPrompts = new WeakMap<ChatRendering['tools'], ToolPrompt>()

function promptOf({ protocol, tools, prompt }: ChatRendering): string {
  if (!protocol || tools.length === 0) return ''
  if (prompt !== undefined) return prompt
  let known = toolPrompts.get(tools)
  if (known?.protocol !== protocol)
    toolPrompts.set(tools, (known = { protocol, prompt: printPrompt(protocol, tools) }))
  return known.prompt
}

const systemMessages = new WeakMap<ChatRendering['tools'], SystemMessage>()

/** The same message object each time, so that it is rendered once. */
function systemOf({ tools }: ChatRendering, content: string): SystemMessage {
  let system = systemMessages.get(tools)
  if (system?.content !== content) systemMessages.set(tools, (system = { role: 'system', content }))
  return system
}

const extendedMessages = new WeakMap<SystemMessage, SystemMessage & { readonly prompt: string }>()

function withPrompt(system: SystemMessage, prompt: string): SystemMessage {
  const before = extendedMessages.get(system)
  if (before?.prompt === prompt) return before
  const content = insertPrompt(system.content, prompt)
  if (content === system.content) return system
  const after = { role: 'system' as const, content, prompt }
  extendedMessages.set(system, after)
  return after
}

function insertPrompt(content: string, prompt: string): string {
  const at = content.indexOf(PLACEHOLDER)
  if (at >= 0) return content.slice(0, at) + prompt + content.slice(at + PLACEHOLDER.length)
  return [content, prompt].filter((part) => part !== '').join('\n\n')
}
