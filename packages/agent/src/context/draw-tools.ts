import { printPrompt, type Protocol } from '@toolglot/core'
import type { ChatRendering } from './chat-rendering.ts'
import type { Message, SystemMessage } from './message.ts'

/** Where a system text wants the tools to be told of. */
const PLACE = '{{tools}}'

/** The messages with the tools told of in one of the system's: where it has a place for that, else behind the first. */
export function withTools(
  messages: readonly Message[],
  rendering: ChatRendering,
): readonly Message[] {
  const prompt = promptOf(rendering)
  const systems = messages.filter((message) => message.role === 'system')
  const holder = systems.find(({ content }) => content.includes(PLACE)) ?? systems[0]
  if (!holder) return prompt === '' ? messages : [systemOf(rendering, prompt), ...messages]
  const told = toldIn(holder, prompt)
  if (told === holder) return messages
  const all = messages.slice()
  all[messages.indexOf(holder)] = told
  return all
}

/** What was drawn of a list of tools last. */
interface Drawn {
  readonly protocol: Protocol
  readonly prompt: string
}

const drawn = new WeakMap<ChatRendering['tools'], Drawn>()

function promptOf({ protocol, tools, prompt }: ChatRendering): string {
  if (!protocol || tools.length === 0) return ''
  if (prompt !== undefined) return prompt
  let known = drawn.get(tools)
  if (known?.protocol !== protocol)
    drawn.set(tools, (known = { protocol, prompt: printPrompt(protocol, tools) }))
  return known.prompt
}

const alone = new WeakMap<ChatRendering['tools'], SystemMessage>()

/** The same message each time, so that it is drawn once. */
function systemOf({ tools }: ChatRendering, content: string): SystemMessage {
  let system = alone.get(tools)
  if (system?.content !== content) alone.set(tools, (system = { role: 'system', content }))
  return system
}

const told = new WeakMap<SystemMessage, SystemMessage & { readonly prompt: string }>()

function toldIn(system: SystemMessage, prompt: string): SystemMessage {
  const before = told.get(system)
  if (before?.prompt === prompt) return before
  const content = placed(system.content, prompt)
  if (content === system.content) return system
  const after = { role: 'system' as const, content, prompt }
  told.set(system, after)
  return after
}

function placed(content: string, prompt: string): string {
  const at = content.indexOf(PLACE)
  if (at >= 0) return content.slice(0, at) + prompt + content.slice(at + PLACE.length)
  return [content, prompt].filter((part) => part !== '').join('\n\n')
}
