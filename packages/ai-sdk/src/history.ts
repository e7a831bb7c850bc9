import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ReasoningPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider'
import type { CallResult, Message, MessageCall } from '@toolglot/agent'
import type { ContentPart } from '@toolglot/agent/models'
import type { KeptReplies } from './kept-replies.ts'
import { outputOf } from './tool-output.ts'

/** A conversation, independent of the protocol. */
export interface History {
  readonly messages: readonly Message[]
  /** The files in it, by the URLs that stand for them in the messages: each comes out as it went in, whatever it is. */
  readonly files: ReadonlyMap<string, LanguageModelV3FilePart>
  /** What each assistant message has besides text and calls: protocols have no place for it, but the SDK has. */
  readonly besides: readonly (readonly BesidePart[])[]
}

/** Reasoning or a file in an assistant message. */
export type BesidePart = LanguageModelV3ReasoningPart | LanguageModelV3FilePart

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content']

/** Converts the AI SDK's prompt to messages. A reply that the model wrote before is as it wrote it. */
export function historyOf(prompt: readonly LanguageModelV3Message[], kept: KeptReplies): History {
  const messages: Message[] = []
  const files = new Map<string, LanguageModelV3FilePart>()
  const besides: BesidePart[][] = []
  /** The calls so far, as the model knows them, by the ids that the SDK knows. */
  const calls = new Map<string, MessageCall>()
  let results: CallResult[] = []
  /** Files in results: protocols have no place for them, so they follow in a message. */
  let attached: ContentPart[] = []

  const standIn = (file: LanguageModelV3FilePart): ContentPart => {
    const url = `file:${files.size}`
    files.set(url, file)
    return { type: 'image', url }
  }
  const add = (message: Message): void => {
    if (results.length > 0) messages.push({ role: 'results', results })
    if (attached.length > 0) messages.push({ role: 'user', content: attached })
    results = []
    attached = []
    messages.push(message)
  }
  const addResult = ({ toolCallId: id, toolName, output }: LanguageModelV3ToolResultPart): void => {
    const { files: inside, ...result } = outputOf(output)
    results.push({ call: calls.get(id) ?? { id, name: toolName, args: {} }, ...result })
    attached.push(...inside.map(standIn))
  }
  const addReply = (content: AssistantContent): void => {
    let texts: string[] = []
    let own: MessageCall[] = []
    let beside: BesidePart[] = []
    const flush = (): void => {
      if (texts.length + own.length === 0 && beside.every(({ type }) => type === 'reasoning'))
        return
      const reply = kept.find({ text: texts.join(''), calls: own })
      own.forEach((call, at) => calls.set(call.id, reply?.calls?.[at] ?? call))
      const text = texts.map((each) => each.trim()).filter((each) => each !== '')
      add(
        reply ?? {
          role: 'assistant',
          content: text.join('\n\n'),
          ...(own.length > 0 && { calls: own }),
        },
      )
      // What is in the model's own words is not said twice.
      const isNew = (part: BesidePart): boolean =>
        part.type === 'file' || !reply?.content.includes(part.text)
      besides.push(beside.filter(isNew))
      texts = []
      own = []
      beside = []
    }
    for (const part of content) {
      if (part.type === 'text') texts.push(part.text)
      else if (part.type === 'file' || (part.type === 'reasoning' && isPlain(part)))
        beside.push(part)
      else if (part.type === 'tool-call')
        own.push({ id: part.toolCallId, name: part.toolName, args: argumentsIn(part.input) })
      else if (part.type === 'tool-result') {
        // Of a tool that a provider ran.
        flush()
        addResult(part)
      }
    }
    flush()
  }

  for (const message of prompt) {
    switch (message.role) {
      case 'system':
        add({ role: 'system', content: message.content })
        break
      case 'user':
        add({
          role: 'user',
          content: message.content.map((part) =>
            part.type === 'text' ? { type: 'text', text: part.text } : standIn(part),
          ),
        })
        break
      case 'assistant':
        addReply(message.content)
        break
      case 'tool':
        for (const part of message.content) if (part.type === 'tool-result') addResult(part)
    }
  }
  if (results.length > 0) messages.push({ role: 'results', results })
  if (attached.length > 0) messages.push({ role: 'user', content: attached })
  return { messages, files, besides }
}

/** Whether reasoning is only text. A signature, or the id of an item, belongs to a reply that is no longer the same. */
function isPlain({ text, providerOptions }: LanguageModelV3ReasoningPart): boolean {
  return text !== '' && Object.keys(providerOptions ?? {}).length === 0
}

/** The input of an invalid call is the text that the model wrote: its result quotes that. */
function argumentsIn(input: unknown): MessageCall['args'] {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject ? (input as MessageCall['args']) : {}
}
