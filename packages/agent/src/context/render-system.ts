import { printPrompt, type Protocol } from '@toolglot/core'
import { areToolsInRequest, type ChatRendering } from './chat-rendering.ts'
import type { Message, SystemMessage } from './message.ts'

/** The placeholder for the tool descriptions in the system text. */
const PLACEHOLDER = '{{tools}}'

/**
 * Merges the system messages at the start of a history and adds the description of the tools at the
 * first placeholder, or else at the end. In later messages, a placeholder is plain text, because
 * rendered text must not change.
 */
export function renderSystem(
  messages: readonly Message[],
  rendering: ChatRendering,
): readonly Message[] {
  const prompt = promptOf(rendering)
  const leading: SystemMessage[] = []
  for (const message of messages) {
    if (message.role !== 'system') break
    leading.push(message)
  }
  const [first] = leading
  if (!first) return prompt === '' ? messages : [systemOf(rendering, prompt), ...messages]
  const merged = mergeSystem(first, leading, prompt)
  return merged === first && leading.length === 1
    ? messages
    : [merged, ...messages.slice(leading.length)]
}

/** The most recent description of a list of tools. */
interface ToolPrompt {
  readonly protocol: Protocol
  readonly prompt: string
}

const toolPrompts = new WeakMap<ChatRendering['tools'], ToolPrompt>()

function promptOf(rendering: ChatRendering): string {
  const { tools, toolChoice = 'auto' } = rendering
  if (areToolsInRequest(rendering) || tools.length === 0 || toolChoice === 'none') return ''
  const description = rendering.prompt ?? describeTools(rendering.protocol!, tools)
  return toolChoice === 'auto' ? description : `${description}\n\n${requiredCallText(toolChoice)}`
}

/** Tells the model that it must call a tool. */
export function requiredCallText(choice: 'required' | { readonly name: string }): string {
  const which = choice === 'required' ? 'at least one of these tools' : `the tool ${choice.name}`
  return `Your next reply must call ${which}.`
}

function describeTools(protocol: Protocol, tools: ChatRendering['tools']): string {
  let known = toolPrompts.get(tools)
  if (known?.protocol !== protocol)
    toolPrompts.set(tools, (known = { protocol, prompt: printPrompt(protocol, tools) }))
  return known.prompt
}

const systemMessages = new WeakMap<ChatRendering['tools'], SystemMessage>()

/** Returns the same object for the same content, so that it is rendered once. */
function systemOf({ tools }: ChatRendering, content: string): SystemMessage {
  let system = systemMessages.get(tools)
  if (system?.content !== content) systemMessages.set(tools, (system = { role: 'system', content }))
  return system
}

/** The previous merge of the first system message. */
interface MergedSystem {
  readonly leading: readonly SystemMessage[]
  readonly prompt: string
  readonly merged: SystemMessage
}

const mergedMessages = new WeakMap<SystemMessage, MergedSystem>()

/** Returns the same object for the same messages, so that they are rendered once. */
function mergeSystem(
  first: SystemMessage,
  leading: readonly SystemMessage[],
  prompt: string,
): SystemMessage {
  const known = mergedMessages.get(first)
  const isKnown =
    known?.prompt === prompt &&
    known.leading.length === leading.length &&
    known.leading.every((message, at) => message === leading[at])
  if (isKnown) return known.merged
  const content = insertPrompt(joinTexts(leading.map((message) => message.content)), prompt)
  const merged = content === first.content ? first : { role: 'system' as const, content }
  mergedMessages.set(first, { leading, prompt, merged })
  return merged
}

function insertPrompt(content: string, prompt: string): string {
  const at = content.indexOf(PLACEHOLDER)
  if (at < 0) return joinTexts([content, prompt])
  return content.slice(0, at) + prompt + content.slice(at + PLACEHOLDER.length)
}

function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}
