import type { ToolDefinition } from '@toolglot/core'
import {
  type ChatMessageInput,
  type ChatVariables,
  messagesFor,
  variablesOf,
  callOf,
} from './chat-variables.ts'
import { renderTemplate } from './render-template.ts'
import { ModelError } from '../model-error.ts'
import { TemplateError, TemplateLimit } from './template-error.ts'

/** A conversation to be rendered with a chat template. */
interface TemplateChat {
  readonly messages: readonly ChatMessageInput[]
  readonly tools?: readonly ToolDefinition[] | undefined
  /** Allow thinking before the reply, if the template has a switch for it. Default: true. */
  readonly thinking?: boolean | undefined
}

/** A model's chat template, with the form of conversations that it requires. */
export interface ChatTemplate {
  readonly shape: ChatShape
  /** Renders the prompt, up to the start of the model's reply. */
  render(chat: TemplateChat): string
}

/** Prepares a chat template. Never throws: an invalid template fails when it is rendered. */
export function createChatTemplate(source: string, variables: ChatVariables = {}): ChatTemplate {
  let found: ChatShape | undefined
  const shapeOf = (): ChatShape => (found ??= knownShape(source, variables))
  return {
    get shape() {
      return shapeOf()
    },
    render({ messages, tools = [], thinking = true }) {
      const chat = { messages: messagesFor(messages, shapeOf()), tools, thinking }
      const { date } = variables
      return renderTemplate(source, {
        variables: variablesOf(chat, shapeOf(), variables),
        ...(date && { date }),
      })
    },
  }
}

/** The form required by a template, from a cache of the last few. */
function knownShape(source: string, variables: ChatVariables): ChatShape {
  const { bosToken, eosToken, more } = variables
  const key = JSON.stringify([bosToken, eosToken, more, source])
  const shape = shapes.get(key) ?? findChatShape(source, variables)
  if (shapes.size >= MAX_SHAPES) shapes.clear()
  shapes.set(key, shape)
  return shape
}

const shapes = new Map<string, ChatShape>()
const MAX_SHAPES = 16

/** The form of conversations that a template requires. */
export interface ChatShape {
  /** True if it prints messages, as far as it could be rendered. */
  readonly messages: boolean
  /** Content is a string or a list of parts. */
  readonly content: 'text' | 'parts'
  /** True if it prints system messages. Otherwise their text goes before the first user message. */
  readonly system: boolean
  /** True if it prints system messages after other messages. */
  readonly laterSystem: boolean
  /** True if it describes tools and prints calls and results. */
  readonly tools: boolean
  /** The way to pass an empty list of tools. */
  readonly noTools: 'none' | 'empty' | 'missing'
  /** Arguments are an object or JSON text. */
  readonly arguments: 'object' | 'text'
  /** True if call ids must consist of nine letters or digits. */
  readonly shortIds: boolean
  /** The treatment of several calls in one message: all printed, dropped except for one, or rejected. */
  readonly parallel: 'prints' | 'drops' | 'refuses'
  /** True if user and assistant messages must alternate. */
  readonly alternates: boolean
  /** The location of reasoning: a field, or a part of the content. */
  readonly reasoning: 'reasoning_content' | 'thinking' | 'parts'
  /** The place of results: separate messages, or responses in the message with the calls. */
  readonly results: 'messages' | 'responses'
}

/**
 * Detects the form of conversations that a template requires, by rendering short conversations and
 * searching the output for their words.
 */
function findChatShape(source: string, tokens: ChatVariables): ChatShape {
  let isHopeless = false
  const render = (
    messages: readonly ChatMessageInput[],
    shape: ChatShape,
    tools: readonly (typeof TOOL)[] = [],
  ): string | undefined => {
    // It does too much work, or is invalid in any form.
    if (isHopeless) return undefined
    try {
      const given = { messages: messagesFor(messages, shape), tools, thinking: true }
      const variables = variablesOf(given, shape, tokens)
      return renderTemplate(source, { variables, limits: PROBE_LIMITS })
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      // The template rejects this form.
      const { cause } = error
      isHopeless ||= cause instanceof TemplateLimit || !(cause instanceof TemplateError)
      return undefined
    }
  }
  const prints = (
    words: readonly string[],
    messages: readonly ChatMessageInput[],
    shape: ChatShape,
    tools: readonly (typeof TOOL)[] = [],
  ): boolean => {
    const text = render(messages, shape, tools)
    // Some templates print a list of parts literally.
    return (
      text !== undefined &&
      words.every((word) => text.includes(word)) &&
      !text.includes('"thinking":') &&
      !text.includes("'thinking':")
    )
  }

  let shape = PLAIN
  /** Applies a change to the form if the template then prints the words. */
  const improve = (
    change: Partial<ChatShape>,
    words: readonly string[],
    messages: readonly ChatMessageInput[],
    tools: readonly (typeof TOOL)[] = [],
  ): boolean => {
    const isBetter = prints(words, messages, { ...shape, ...change }, tools)
    if (isBetter) shape = { ...shape, ...change }
    return isBetter
  }

  for (const noTools of ['none', 'empty', 'missing'] as const) {
    if (improve({ noTools }, [], [USER])) break
  }
  if (!prints([ASKED], [USER], shape)) improve({ content: 'parts' }, [ASKED], [USER])
  improve({ system: true }, [SYSTEM.content, ASKED], [SYSTEM, USER])
  if (shape.system) improve({ laterSystem: true }, [SYSTEM.content], [USER, ANSWER, SYSTEM, USER])
  const asked = render([USER], shape)
  const isSilent = asked !== undefined && !asked.includes(ASKED)
  const alternates = render([USER, USER], shape) === undefined
  shape = { ...shape, messages: shape.system || !isSilent, alternates }
  const mentions = (word: string): boolean =>
    source.includes(`'${word}'`) || source.includes(`"${word}"`)
  if (mentions('tool_responses') && !source.includes('tool_call_id'))
    shape = { ...shape, results: 'responses' }

  const turn = [USER, CALL, RESULT]
  const words = [VALUE, RESULT.content]
  const printsCalls =
    improve({}, words, turn, [TOOL]) ||
    improve({ shortIds: true }, words, turn, [TOOL]) ||
    improve({ arguments: 'text' }, words, turn, [TOOL]) ||
    improve({ arguments: 'text', shortIds: true }, words, turn, [TOOL])
  const two = [USER, CALLS, RESULT, OTHER_RESULT]
  // A template that prints an object in Python notation expects text.
  const isPython = render(turn, shape, [TOOL])?.includes(`{'${KEY}': '${VALUE}'}`)
  if (isPython) improve({ arguments: 'text' }, [`{"${KEY}":"${VALUE}"}`], turn, [TOOL])
  if (printsCalls) {
    const text = render(two, shape, [TOOL])
    const parallel = text?.includes(OTHER_VALUE) ? 'prints' : 'drops'
    shape = { ...shape, parallel: text === undefined ? 'refuses' : parallel }
    const without = render([USER], shape)
    const described = render([USER], shape, [TOOL])
    const describes = described?.includes(TOOL.name) === true && described !== without
    shape = { ...shape, tools: describes }
  }
  const thoughtful = [USER, { ...CALL, reasoning: THOUGHT }, RESULT]
  for (const reasoning of REASONING) {
    if (improve({ reasoning }, [THOUGHT], thoughtful, [TOOL])) break
  }
  return shape
}

/** Enough for short conversations, and small enough to stop a hostile template early. */
const PROBE_LIMITS = { steps: 100_000, work: 4_000_000, length: 1_000_000 }

const PLAIN: ChatShape = {
  messages: true,
  content: 'text',
  system: false,
  laterSystem: false,
  tools: false,
  noTools: 'none',
  arguments: 'object',
  shortIds: false,
  parallel: 'prints',
  alternates: false,
  reasoning: 'reasoning_content',
  results: 'messages',
}

const REASONING = ['reasoning_content', 'thinking', 'parts'] as const

const ASKED = 'vuqask'
const KEY = 'vuqkey'
const VALUE = 'vuqvalue'
const OTHER_VALUE = 'vuqother'
const THOUGHT = 'vuqthought'

const SYSTEM = { role: 'system', content: 'vuqsystem' } as const
const USER = { role: 'user', content: ASKED } as const
const ANSWER = { role: 'assistant', content: 'vuqanswer' } as const
const TOOL = {
  name: 'vuq_tool',
  description: 'vuqdescription',
  parameters: {
    type: 'object',
    properties: { [KEY]: { type: 'string', description: 'vuqhint' } },
    required: [KEY],
  },
}
const CALL = {
  role: 'assistant',
  content: '',
  calls: [callOf('call_vuq_1', TOOL.name, { [KEY]: VALUE })],
} as const
const CALLS = {
  role: 'assistant',
  content: '',
  calls: [...CALL.calls, callOf('call_vuq_2', TOOL.name, { [KEY]: OTHER_VALUE })],
} as const
const RESULT = { role: 'tool', content: 'vuqresult', call: 'call_vuq_1', name: TOOL.name } as const
const OTHER_RESULT = { ...RESULT, content: 'vuqsecond', call: 'call_vuq_2' } as const
