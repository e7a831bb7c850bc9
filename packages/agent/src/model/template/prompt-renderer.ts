import { type ChatMessage, textOf } from '../chat-message.ts'
import { ModelError } from '../model-error.ts'
import type { ModelFacts, ModelRequest } from '../model.ts'
import { type ChatTemplate, createChatTemplate } from './chat-template.ts'
import { type ChatMessageInput, oneCallEach } from './chat-variables.ts'

/** A model's chat template, and facts about the model. */
export interface PromptRendererOptions {
  /** The template, in Jinja. Default: ChatML, which is widely used. */
  readonly chatTemplate?: string | undefined
  /**
   * Templates for special purposes, by name. `tool_use` replaces `chatTemplate` if there are tools.
   */
  readonly chatTemplates?: Readonly<Record<string, string>> | undefined
  readonly bosToken?: string | undefined
  readonly eosToken?: string | undefined
  /** Allow thinking before the reply, if the template has a switch for it. Default: true. */
  readonly thinking?: boolean | undefined
  /** Additional variables of the template. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  /** The date for the template to print. Default: the date of each request. */
  readonly date?: Date | undefined
}

/** Converts requests to prompts for raw completion. */
export interface PromptRenderer {
  /** The model facts that can be derived from its template. */
  readonly facts: Pick<
    ModelFacts,
    'chatTemplate' | 'drawsTools' | 'roles' | 'laterSystem' | 'prefill'
  >
  /**
   * Throws a ModelError if the template rejects the messages, is invalid, or exceeds its limits.
   */
  render(
    request: Pick<ModelRequest, 'messages' | 'tools' | 'toolChoice' | 'prefill'>,
  ): RenderedPrompt
}

/** A prompt for raw completion. */
export interface RenderedPrompt {
  /** Ends with the beginning of the reply, if the request contains one. */
  readonly prompt: string
  /** The tokens that end the reply, except for the one at which the model stops anyway. */
  readonly stop: readonly string[]
  /**
   * The start of the reply's reasoning if it is part of the prompt, such as `<think>\n`. It must be
   * added before the model's output.
   */
  readonly opened: string
}

/** Prepares the chat template of a model. Throws a ModelError if it does not print messages. */
export function createPromptRenderer(options: PromptRendererOptions): PromptRenderer {
  const { chatTemplate = CHATML, chatTemplates = {}, bosToken, eosToken, thinking = true } = options
  const { variables: more, date } = options
  const toolTemplate = Object.hasOwn(chatTemplates, 'tool_use')
    ? chatTemplates['tool_use']
    : undefined
  const prepare = (source: string): ChatTemplate =>
    createChatTemplate(source, { bosToken, eosToken, date, more })
  const plain = prepare(chatTemplate)
  if (!plain.shape.messages)
    throw new ModelError(
      'refused',
      "The model's chat template prints no messages: is it a chat template? Use another one, or a server's chat endpoint.",
    )
  const withTools = toolTemplate === undefined ? plain : prepare(toolTemplate)
  const source = toolTemplate ?? chatTemplate
  const stop = endTokens(source, eosToken)
  const { tools: drawsTools, laterSystem } = withTools.shape

  return {
    facts: {
      ...(options.chatTemplate !== undefined && { chatTemplate: source }),
      drawsTools,
      roles: drawsTools ? ['system', 'tool'] : ['system'],
      laterSystem,
      prefill: true,
    },

    render({ messages, tools = [], toolChoice, prefill = '' }) {
      const described = toolChoice === 'none' ? [] : tools
      const hasCalls = messages.some((each) => each.role === 'tool' || isCalling(each))
      const template = described.length > 0 || hasCalls ? withTools : plain
      const chat = messages.map(inputOf)
      const separate = template.shape.parallel === 'drops' ? oneCallEach(chat) : chat
      const prompt = template.render({
        messages: separate,
        tools: described,
        thinking: thinking && prefill === '',
      })
      const opened = openedReasoning(prompt)
      if (prefill === '') return { prompt, stop, opened }
      // A prefill is part of the reply itself, so it must not follow a mark that opens reasoning.
      return { prompt: prompt.slice(0, prompt.length - opened.length) + prefill, stop, opened: '' }
    },
  }
}

function isCalling(message: ChatMessage): boolean {
  return message.role === 'assistant' && (message.calls?.length ?? 0) > 0
}

function inputOf(message: ChatMessage): ChatMessageInput {
  const content = textOf(message.content)
  if (message.role === 'assistant')
    return { role: 'assistant', content, ...(message.calls && { calls: message.calls }) }
  if (message.role !== 'tool') return { role: message.role, content }
  return { role: 'tool', content, ...(message.call !== undefined && { call: message.call }) }
}

const CHATML = `{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

/** The marks with which models begin to think. */
const OPENERS: readonly string[] = [
  '<think>',
  '<think:opensource>',
  '<mm:think>',
  '<seed:think>',
  '<longcat_think>',
  '[THINK]',
  '<|START_THINKING|>',
  '<|inner_prefix|>',
  '<|think|>',
  '<|channel>thought',
  '<|channel|>analysis<|message|>',
  '<|open|>think<|sep|>',
  '<|content_thinking|>',
]

/**
 * The end of a prompt if it starts the model's reasoning, such as `<think>\n`, or else an empty
 * string.
 */
function openedReasoning(prompt: string): string {
  const end = prompt.trimEnd()
  const opener = OPENERS.find((each) => end.endsWith(each))
  return opener === undefined ? '' : prompt.slice(end.length - opener.length)
}

/**
 * The tokens that end a turn in the templates of known models. `</s>` is missing because it is also
 * an HTML tag.
 */
const ENDS: readonly string[] = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<end_of_turn>',
  '<turn|>',
  '<｜end▁of▁sentence｜>',
]

/** The tokens that end a turn in a template, except for the one at which the model stops anyway. */
function endTokens(template: string, eosToken: string | undefined): string[] {
  return ENDS.filter((each) => each !== eosToken && template.includes(each))
}

/** True if a token cannot be mistaken for text. `</s>` can. */
export function isUnmistakable(token: string): boolean {
  return ENDS.includes(token) || /[|｜]/.test(token)
}

/** The probable special tokens in a template, which servers omit from their text by default. */
export function specialMarks(template: string, ends: readonly string[]): string[] {
  const marks = new Set<string>()
  for (const [mark] of template.matchAll(/<[^<>\s'"{}]{1,40}>|\[\/?[A-Z_]{2,30}\]/g)) {
    if (mark !== '</s>' && !ends.includes(mark)) marks.add(mark)
    if (marks.size >= MAX_MARKS) break
  }
  return [...marks]
}

const MAX_MARKS = 100
