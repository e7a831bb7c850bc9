import type { Api, StreamWriter } from '../api.ts'
import { emptyDraft, requestOf, readParameters } from '../parameter.ts'
import { customNames } from '../offered-tool.ts'
import { openAiError } from '../open-ai.ts'
import { type ChatDraft, chatParameters } from './parameters.ts'
import type { RunCall, Usage } from '@toolglot/agent'
import { type AnswerEnd, type AnswerEvent, extensionOf } from '../answer-event.ts'
import { blocksOf, joined } from '../blocks.ts'

/** OpenAI's chat completions. */
export const chatCompletions: Api = {
  id: 'chat-completions',
  path: '/v1/chat/completions',
  parameters: chatParameters,
  read(body) {
    const draft: ChatDraft = { ...emptyDraft(), includeUsage: false }
    readParameters(body, chatParameters, draft)
    const request = requestOf(draft, 'messages')
    const answer: ChatAnswer = {
      id: `chatcmpl-${crypto.randomUUID()}`,
      created: Math.floor(Date.now() / 1000),
      model: request.model,
      includeUsage: draft.includeUsage,
      custom: customNames(draft.tools),
    }
    return {
      request,
      stream: () => chatStream(answer),
      whole: (events) => wholeChat(events, answer),
    }
  },
  error: openAiError,
}

/** The fields repeated in every part of an answer. */
interface ChatAnswer {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly includeUsage: boolean
  /** The names of the tools whose input is text. */
  readonly custom: ReadonlySet<string>
}

/** Writes a streamed chat completion. */
function chatStream(answer: ChatAnswer): StreamWriter {
  const { id, created, model, includeUsage, custom } = answer
  const shared = { id, object: 'chat.completion.chunk', created, model }
  const head = `data: ${JSON.stringify(shared).slice(0, -1)},"choices":[{"index":0,"delta":`
  const chunk = (delta: object, finish: string | null = null): string =>
    `${head}${JSON.stringify(delta)},"finish_reason":${JSON.stringify(finish)}}]}\n\n`
  let isBegun = false
  /** The role is in the first chunk only. */
  const role = (): object => {
    if (isBegun) return {}
    isBegun = true
    return { role: 'assistant' }
  }
  /** The names of started calls. */
  const names = new Map<number, string>()

  return {
    write(event) {
      switch (event.type) {
        case 'text':
          return chunk({ ...role(), content: event.delta })
        case 'reasoning':
          return chunk({ ...role(), reasoning_content: event.delta })
        case 'call-start': {
          const { index, id: callId, name } = event
          names.set(index, name)
          if (custom.has(name)) return ''
          const first = { index, id: callId, type: 'function', function: { name, arguments: '' } }
          return chunk({ ...role(), tool_calls: [first] })
        }
        case 'call-delta': {
          const { index, delta } = event
          if (custom.has(names.get(index) ?? '')) return ''
          return chunk({ tool_calls: [{ index, function: { arguments: delta } }] })
        }
        case 'call-end': {
          const { index, call } = event
          const extension = extensionOf(call)
          if (custom.has(call.name))
            return chunk({ ...role(), tool_calls: [{ index, ...customCall(call), ...extension }] })
          if (!extension) return ''
          return chunk({ tool_calls: [{ index, function: { arguments: '' }, ...extension }] })
        }
        case 'end': {
          const { usage } = event.end
          const last = chunk(role(), finishReason(event.end))
          const counts = includeUsage
            ? `data: ${JSON.stringify({ ...shared, choices: [], usage: usageOf(usage) })}\n\n`
            : ''
          return `${last}${counts}data: [DONE]\n\n`
        }
      }
    },
    error: (error) => `data: ${JSON.stringify(openAiError(error))}\n\n`,
  }
}

/** A complete chat completion. */
function wholeChat(events: readonly AnswerEvent[], answer: ChatAnswer): object {
  const { blocks, end } = blocksOf(events)
  const text = joined(blocks, 'text')
  const reasoning = joined(blocks, 'reasoning')
  const calls = blocks.flatMap((block) => {
    if (block.kind !== 'call') return []
    const { call, json } = block
    const { id, name } = call
    const own = answer.custom.has(name)
      ? customCall(call)
      : { id, type: 'function', function: { name, arguments: json } }
    return [{ ...own, ...extensionOf(call) }]
  })
  return {
    id: answer.id,
    object: 'chat.completion',
    created: answer.created,
    model: answer.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          refusal: null,
          reasoning_content: reasoning !== '' ? reasoning : undefined,
          tool_calls: calls.length > 0 ? calls : undefined,
        },
        logprobs: null,
        finish_reason: finishReason(end),
      },
    ],
    usage: usageOf(end.usage),
  }
}

function finishReason({ reason }: AnswerEnd): string {
  return { answer: 'stop', calls: 'tool_calls', length: 'length' }[reason]
}

/** The arguments of custom tools have one field: `input`, a string. */
function customCall({ id, name, args: { input } }: RunCall): object {
  return { id, type: 'custom', custom: { name, input } }
}

function usageOf({ input, output, cached, reasoning }: Usage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: cached === undefined ? undefined : { cached_tokens: cached },
    completion_tokens_details:
      reasoning === undefined ? undefined : { reasoning_tokens: reasoning },
  }
}
