import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ReasoningPart,
  LanguageModelV3ToolResultPart,
  LanguageModelV3ToolResultOutput,
} from '@ai-sdk/provider'
import type { Message, MessageCall, CallResult } from '@toolglot/agent'
import { Conversation, type KeptReplies } from '@toolglot/agent/adapter/internal'
import { isObject, isImageUrl } from '@toolglot/agent/internal'
import type { ContentPart } from '@toolglot/agent/models'

/** The output of a tool, and the files in it. */
type Output = Omit<CallResult, 'call'> & { readonly files: readonly LanguageModelV3FilePart[] }

type ContentItem = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number]

/** The form of files in version 4 of the specification. Version 3 has several kinds. */
type FileItem = { readonly type: 'file' } & Pick<LanguageModelV3FilePart, 'data' | 'mediaType'>

const DENIED = 'The user denied this call. It was not run.'

/** A conversation, independent of the protocol. */
export interface History {
  readonly messages: readonly Message[]
  /**
   * The files in the conversation, by their placeholder URLs in the messages. Each file is passed
   * back unchanged.
   */
  readonly files: ReadonlyMap<string, LanguageModelV3FilePart>
  /**
   * The parts of each assistant message other than text and calls. The SDK has a place for them,
   * but protocols don't.
   */
  readonly besides: readonly (readonly BesidePart[])[]
}

/** Reasoning or a file in an assistant message. */
export type BesidePart = LanguageModelV3ReasoningPart | LanguageModelV3FilePart

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content']

/**
 * Converts the AI SDK's prompt to messages. Earlier replies of the model are kept in the model's
 * own words.
 */
export function historyOf(prompt: readonly LanguageModelV3Message[], kept: KeptReplies): History {
  const conversation = new Conversation(kept)
  const files = new Map<string, LanguageModelV3FilePart>()
  const besides: BesidePart[][] = []
  /** Files in results. Protocols have no place for them, so they follow in a message. */
  let attached: ContentPart[] = []

  const standIn = (file: LanguageModelV3FilePart): ContentPart => {
    const url = `file:${files.size}`
    files.set(url, file)
    return { type: 'image', url }
  }
  const attach = (): void => {
    if (attached.length > 0) conversation.add({ role: 'user', content: attached })
    attached = []
  }
  const addResult = ({ toolCallId, toolName, output }: LanguageModelV3ToolResultPart): void => {
    const { files: inside, ...result } = outputOf(output)
    conversation.addResult(toolCallId, toolName, result)
    attached.push(...inside.map(standIn))
  }
  const addReply = (content: AssistantContent): void => {
    let texts: string[] = []
    let calls: MessageCall[] = []
    let beside: BesidePart[] = []
    const flush = (): void => {
      const hasFiles = beside.some(({ type }) => type === 'file')
      if (texts.length + calls.length === 0 && !hasFiles) return
      attach()
      const text = texts.map((each) => each.trim()).filter((each) => each !== '')
      const words = conversation.addReply({ text: texts.join(''), calls }, text.join('\n\n'))
      // Reasoning that is already in the model's own words is not repeated.
      besides.push(beside.filter((part) => part.type === 'file' || !words?.includes(part.text)))
      texts = []
      calls = []
      beside = []
    }
    for (const part of content) {
      if (part.type === 'text') texts.push(part.text)
      else if (part.type === 'file' || (part.type === 'reasoning' && isPlain(part)))
        beside.push(part)
      else if (part.type === 'tool-call')
        calls.push({ id: part.toolCallId, name: part.toolName, args: argumentsIn(part.input) })
      else if (part.type === 'tool-result') {
        // The result of a tool that a provider ran.
        flush()
        addResult(part)
      }
    }
    flush()
  }

  for (const message of prompt) {
    if (message.role === 'system' || message.role === 'user') attach()
    switch (message.role) {
      case 'system':
        conversation.add({ role: 'system', content: message.content })
        break
      case 'user':
        conversation.add({
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
  attach()
  return { messages: conversation.messages, files, besides }
}

/**
 * True if reasoning is only text. A signature or an item id would be invalid for a changed reply.
 */
function isPlain({ text, providerOptions }: LanguageModelV3ReasoningPart): boolean {
  return text !== '' && Object.keys(providerOptions ?? {}).length === 0
}

/** The input of an invalid call is the model's text, which the result quotes. */
function argumentsIn(input: unknown): MessageCall['args'] {
  return isObject(input) ? input : {}
}

/** Converts the output of a tool. */
function outputOf(given: LanguageModelV3ToolResultPart['output']): Output {
  switch (given.type) {
    case 'text':
      return { output: given.value, files: [] }
    case 'json':
      return { output: JSON.stringify(given.value), data: given.value, files: [] }
    case 'error-text':
      return { output: given.value, failed: true, files: [] }
    case 'error-json':
      return { output: JSON.stringify(given.value), data: given.value, failed: true, files: [] }
    case 'execution-denied':
      return {
        // A reason alone could be mistaken for the tool's output.
        output: given.reason === undefined ? DENIED : `${DENIED} The reason: ${given.reason}`,
        failed: true,
        status: 'denied',
        files: [],
      }
    case 'content': {
      const items = given.value.map(itemOf)
      const texts = items.flatMap((item) => (typeof item === 'string' ? [item] : []))
      const files = items.flatMap((item) => (typeof item === 'string' ? [] : [item]))
      const note = files.length > 0 ? [`(${files.length} attached below)`] : []
      return { output: [...texts, ...note].join('\n'), files }
    }
  }
}

function itemOf(item: ContentItem | FileItem): string | LanguageModelV3FilePart {
  switch (item.type) {
    case 'text':
      return item.text
    case 'file':
    case 'file-data':
    case 'image-data':
      return { type: 'file', data: item.data, mediaType: item.mediaType }
    case 'image-url':
      // Tools may return any text.
      return isImageUrl(item.url)
        ? { type: 'file', data: new URL(item.url), mediaType: 'image/*' }
        : item.url
    case 'file-url':
      return item.url
    default:
      return `(${item.type}, which cannot be shown)`
  }
}
