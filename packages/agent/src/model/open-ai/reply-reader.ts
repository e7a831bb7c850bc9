import type { Finish } from '@toolglot/core'
import { asObject } from '../as-object.ts'
import type { ModelChunk } from '../model.ts'
import { type Usage, readUsage } from '../usage.ts'
import { GarbledReply } from '../http/reply-errors.ts'
import { duplicateKeyProblem } from '../../tool/duplicate-key.ts'

/** The end of a reply, as reported by the server. `filtered`: stopped by a content filter. */
type Ending = Finish | 'filtered'

/** Reads a reply from the JSON of a server: the events of a stream, or one whole response. */
export function createReplyReader(): {
  /** `json` is the JSON text of `piece`. */
  read(piece: Readonly<Record<string, unknown>>, json: string): ModelChunk[]
  readonly ending: Ending | undefined
  readonly usage: Usage | undefined
} {
  const calls = createCallAssembler()
  let ending: Ending | undefined
  let usage: Usage | undefined

  return {
    get ending() {
      return ending
    },
    get usage() {
      return usage
    },
    read(piece, json) {
      // If usage is reported several times, the last report counts.
      usage = readUsage(piece['usage'] ?? asObject(piece['x_groq'])?.['usage']) ?? usage
      const choices = piece['choices']
      if (choices === undefined || choices === null) return []
      if (!Array.isArray(choices)) throw new GarbledReply('its choices are not an array')
      return choices.flatMap((choice) => readChoice(choice, json))
    },
  }

  function readChoice(data: unknown, json: string): ModelChunk[] {
    const choice = asObject(data)
    if (!choice) throw new GarbledReply('a choice is not an object')
    if ((choice['index'] ?? 0) !== 0) throw new GarbledReply('it contains several replies')
    const message = asObject(choice['delta']) ?? asObject(choice['message']) ?? {}
    const chunks: ModelChunk[] = [
      ...texts(
        'reasoning',
        message['reasoning_content'] ?? message['reasoning'] ?? message['thinking'],
      ),
      ...contentOf(message['content']),
      ...texts('text', message['refusal']),
      ...calls.read(message['tool_calls'], json),
    ]
    end(choice['finish_reason'], choice['stop_reason'])
    return chunks
  }

  function end(reason: unknown, stopReason: unknown): void {
    if (typeof reason !== 'string' || reason === '' || reason === 'null') return
    const given = reason === 'stop' && typeof stopReason === 'string' ? 'stop_sequence' : reason
    const next = ENDINGS.get(given.toLowerCase()) ?? 'broken'
    if (ending && ending !== next)
      throw new GarbledReply(`it ended twice, with ${ending} and with ${next}`)
    ending = next
  }
}

const ENDINGS: ReadonlyMap<string, Ending> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['tool_calls', 'stop'],
  ['tool_call', 'stop'],
  ['tool_use', 'stop'],
  ['function_call', 'stop'],
  ['stop_sequence', 'stop-string'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'filtered'],
  ['safety', 'filtered'],
])

function texts(type: 'text' | 'reasoning', value: unknown): ModelChunk[] {
  return typeof value === 'string' && value !== '' ? [{ type, delta: value }] : []
}

/**
 * Reads text, or parts that may contain reasoning: `[{type: 'thinking', thinking: [{text}]}, {type:
 * 'text', text}]`.
 */
function contentOf(content: unknown): ModelChunk[] {
  if (!Array.isArray(content)) return texts('text', content)
  return content.flatMap((part): ModelChunk[] => {
    const { text, thinking } = asObject(part) ?? {}
    const thoughts = Array.isArray(thinking)
      ? thinking.flatMap((thought) => texts('reasoning', asObject(thought)?.['text']))
      : texts('reasoning', thinking)
    return [...thoughts, ...texts('text', text)]
  })
}

type CallChunk = Extract<ModelChunk, { type: 'call' }>

/**
 * Assembles calls from their deltas, by index. Repeated deltas are skipped. Contradictions throw a
 * GarbledReply.
 */
function createCallAssembler(): { read(deltas: unknown, json: string): CallChunk[] } {
  const calls: { id: string | undefined; name: string; args: string }[] = []

  return {
    read: (deltas, json) =>
      Array.isArray(deltas) ? deltas.flatMap((delta) => readOne(delta, json)) : [],
  }

  function readOne(delta: unknown, json: string): CallChunk[] {
    const given = (delta ?? {}) as { index?: unknown; id?: unknown; function?: unknown }
    const inner = (given.function ?? {}) as { name?: unknown; arguments?: unknown }
    const id = nonEmptyString(given.id)
    const name = nonEmptyString(inner.name)
    const args = argumentsOf(inner.arguments, json)
    const index = indexOf(given.index, id, name)

    const call = calls[index]
    if (!call) {
      if (index !== calls.length)
        throw new GarbledReply(`call ${index} came instead of call ${calls.length}`)
      if (index >= MAX_CALLS) throw new GarbledReply(`it contains more than ${MAX_CALLS} calls`)
      if (name === undefined) throw new GarbledReply(`call ${index} starts without a name`)
      calls.push({ id, name, args })
      return [{ type: 'call', index, ...(id !== undefined && { id }), name, ...deltaOf(args) }]
    }
    if (id !== undefined && call.id !== undefined && id !== call.id)
      throw new GarbledReply(`call ${index} has two ids`)
    if (name !== undefined && name !== call.name)
      throw new GarbledReply(`call ${index} has two names, ${call.name} and ${name}`)
    // The server repeated the whole call.
    if (args === '' || (name !== undefined && id !== undefined && args === call.args)) return []
    if (index !== calls.length - 1)
      throw new GarbledReply(`call ${index} continues after the next call started`)
    call.args += args
    return [{ type: 'call', index, delta: args }]
  }

  /**
   * Some servers send no index. In that case, a name starts a new call, and all other deltas belong
   * to the last call.
   */
  function indexOf(index: unknown, id: string | undefined, name: string | undefined): number {
    if (Number.isSafeInteger(index) && Number(index) >= 0) return Number(index)
    if (index !== undefined && index !== null) throw new GarbledReply('a call has an invalid index')
    const known = id === undefined ? -1 : calls.findIndex((call) => call.id === id)
    if (known >= 0) return known
    return name === undefined ? Math.max(0, calls.length - 1) : calls.length
  }
}

/** The maximum number of calls, more than any valid reply contains. */
const MAX_CALLS = 1000

function deltaOf(args: string): { delta?: string } {
  return args === '' ? {} : { delta: args }
}

function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The arguments as JSON text. Some servers send an object instead, which is part of `json`. */
function argumentsOf(value: unknown, json: string): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  const problem = duplicateKeyProblem(json)
  if (problem !== undefined) throw new GarbledReply(problem)
  return JSON.stringify(value)
}
