import type { Api, StreamWriter } from '../api.ts'
import { emptyDraft, requestOf, readParameters } from '../parameter.ts'
import { customNames } from '../offered-tool.ts'
import { openAiError } from '../open-ai.ts'
import type { ConversationItem } from '../request.ts'
import {
  previousNotFound,
  resolveReferences,
  createResponseStore,
  type ResponseStore,
} from './history.ts'
import { type ResponsesDraft, responsesParameters } from './parameters.ts'
import {
  echoOf,
  type ResponseAnswer,
  customItem,
  functionItem,
  inputOf,
  itemId,
  itemOf,
  messageItem,
  outputItem,
  reasoningItem,
  responseObject,
  type ResponseState,
  statusOf,
  summaryPart,
  textPart,
} from './response-object.ts'
import type { AnswerEvent } from '../answer-event.ts'
import { type Block, type BlockEvent, BlockReader, blocksOf } from '../blocks.ts'

/** OpenAI's Responses. Answers are stored, within limits, for clients that refer to them. */
export function createResponses(store: ResponseStore = createResponseStore()): Api {
  return {
    id: 'responses',
    path: '/v1/responses',
    parameters: responsesParameters,
    // Codex shortens the conversation when it gets this.
    streamedErrors: ['context_length_exceeded'],
    async read(body, owner) {
      const draft: ResponsesDraft = {
        ...emptyDraft(),
        instructions: [],
        input: [],
        namespaces: new Map(),
        isKept: true,
      }
      readParameters(body, responsesParameters, draft)
      const { previous, input, instructions, namespaces } = draft
      const earlier = previous === undefined ? [] : await earlierOf(previous, owner, store)
      const items = await resolveReferences(input, (id) => store.item(owner, id))
      draft.conversation = [...instructions, ...earlier, ...items]
      const request = requestOf(draft, 'input')
      const answer: ResponseAnswer = {
        id: `resp_${crypto.randomUUID().replaceAll('-', '')}`,
        created: Math.floor(Date.now() / 1000),
        echo: echoOf(body),
        custom: customNames(draft.tools),
        namespaces,
        keep: (id, output) =>
          draft.isKept && store.keep(owner, { id, previous, input: items, output }),
      }
      return {
        request,
        stream: () => responsesStream(answer),
        whole: (events) => wholeResponse(events, answer),
      }
    },
    error: openAiError,
  }
}

async function earlierOf(
  id: string,
  owner: string,
  store: ResponseStore,
): Promise<readonly ConversationItem[]> {
  const earlier = await store.conversation(owner, id)
  if (!earlier) throw previousNotFound(id)
  return earlier
}

/** A complete response. */
function wholeResponse(events: readonly AnswerEvent[], answer: ResponseAnswer): object {
  const { blocks, end } = blocksOf(events)
  const status = statusOf(end)
  const items = blocks.map((block, at) => {
    const id = itemId(block.kind, isCustom(block, answer))
    const isLast = at === blocks.length - 1
    return {
      kept: outputItem(id, block),
      item: itemOf(id, block, answer, isLast ? status : 'completed'),
    }
  })
  const isKept = answer.keep(
    answer.id,
    items.map(({ kept }) => kept),
  )
  return responseObject(
    answer,
    { status, usage: end.usage, isKept },
    items.map(({ item }) => item),
  )
}

function isCustom(block: Block, { custom }: ResponseAnswer): boolean {
  return block.kind === 'call' && custom.has(block.call.name)
}

/** Writes a streamed response. */
function responsesStream(answer: ResponseAnswer): StreamWriter {
  const reader = new BlockReader()
  const output: object[] = []
  const kept: ReturnType<typeof outputItem>[] = []
  let sequence = 0
  let isBegun = false
  /**
   * The id of the current item. Undefined for a call of a custom tool, which is sent once it is
   * complete.
   */
  let open: string | undefined

  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`
  const lifecycle = (type: string, state: ResponseState): string =>
    event(`response.${type}`, { response: responseObject(answer, state, output) })
  const begin = (): string => {
    if (isBegun) return ''
    isBegun = true
    const state = { status: 'in_progress' } as const
    return lifecycle('created', state) + lifecycle('in_progress', state)
  }

  function start(step: Extract<BlockEvent, { type: 'start' }>): string {
    const { index } = step
    if (step.kind === 'call') {
      if (answer.custom.has(step.name)) return ''
      open = itemId('call')
      const item = functionItem(open, step, answer, { args: '', status: 'in_progress' })
      return event('response.output_item.added', { output_index: index, item })
    }
    open = itemId(step.kind)
    const at = { item_id: open, output_index: index }
    if (step.kind === 'text')
      return (
        event('response.output_item.added', {
          output_index: index,
          item: messageItem(open, 'in_progress'),
        }) + event('response.content_part.added', { ...at, content_index: 0, part: textPart('') })
      )
    return (
      event('response.output_item.added', { output_index: index, item: reasoningItem(open) }) +
      event('response.reasoning_summary_part.added', {
        ...at,
        summary_index: 0,
        part: summaryPart(''),
      })
    )
  }

  function delta({ index, kind, delta: text }: Extract<BlockEvent, { type: 'delta' }>): string {
    if (open === undefined) return ''
    const at = { item_id: open, output_index: index }
    if (kind === 'text')
      return event('response.output_text.delta', {
        ...at,
        content_index: 0,
        delta: text,
        logprobs: [],
      })
    if (kind === 'reasoning')
      return event('response.reasoning_summary_text.delta', {
        ...at,
        summary_index: 0,
        delta: text,
      })
    return event('response.function_call_arguments.delta', { ...at, delta: text })
  }

  function stop(index: number, block: Block, status: 'completed' | 'incomplete'): string {
    const id = open ?? itemId('call', true)
    open = undefined
    const at = { item_id: id, output_index: index }
    const item = itemOf(id, block, answer, status)
    output.push(item)
    kept.push(outputItem(id, block))
    return wholeBlock(block, at) + event('response.output_item.done', { output_index: index, item })
  }

  /** The events that complete a block before its item is done. */
  function wholeBlock(
    block: Block,
    at: { readonly item_id: string; readonly output_index: number },
  ): string {
    if (block.kind === 'text') {
      const part = { ...at, content_index: 0 }
      const { text } = block
      return (
        event('response.output_text.done', { ...part, text, logprobs: [] }) +
        event('response.content_part.done', { ...part, part: textPart(text) })
      )
    }
    if (block.kind === 'reasoning') {
      const part = { ...at, summary_index: 0 }
      const { text } = block
      return (
        event('response.reasoning_summary_text.done', { ...part, text }) +
        event('response.reasoning_summary_part.done', { ...part, part: summaryPart(text) })
      )
    }
    const { call, json } = block
    if (!answer.custom.has(call.name)) {
      const name = answer.namespaces.get(call.name)?.name ?? call.name
      return event('response.function_call_arguments.done', { ...at, name, arguments: json })
    }
    const input = inputOf(call)
    const empty = customItem(at.item_id, call, answer, { input: '', status: 'in_progress' })
    return (
      event('response.output_item.added', { output_index: at.output_index, item: empty }) +
      event('response.custom_tool_call_input.delta', { ...at, delta: input }) +
      event('response.custom_tool_call_input.done', { ...at, input })
    )
  }

  return {
    write(next) {
      const status = next.type === 'end' ? statusOf(next.end) : 'completed'
      const before = begin()
      const events = reader.read(next).map((step) => {
        if (step.type === 'start') return start(step)
        if (step.type === 'delta') return delta(step)
        if (step.type === 'stop') return stop(step.index, step.block, status)
        const isKept = answer.keep(answer.id, kept)
        return lifecycle(status, { status, usage: step.end.usage, isKept })
      })
      return before + events.join('')
    },
    error(error) {
      const { code, message, parameter } = error
      // OpenAI's SDK stops at the first of these events, Codex at the second.
      return (
        begin() +
        event('error', { code, message, param: parameter ?? null, ...openAiError(error) }) +
        lifecycle('failed', { status: 'failed', error })
      )
    },
  }
}
