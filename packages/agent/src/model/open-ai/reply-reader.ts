import type { Finish } from '@toolglot/core'
import { asObject } from '../as-object.ts'
import type { ModelChunk } from '../model.ts'
import type { Usage } from '../usage.ts'
import { createCallAssembler } from './call-assembler.ts'
import { GarbledReply } from '../http/garbled-reply.ts'
import { readUsage } from '../http/read-usage.ts'

/** How a reply ended, according to the server. A content filter stopped a `filtered` reply. */
export type Ending = Finish | 'filtered'

/** Reads a reply from a server's JSON: the events of a stream, or one whole response. */
export function createReplyReader(): {
  /** `json` is the text that `data` was parsed from. */
  read(data: unknown, json: string): ModelChunk[]
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
    read(data, json) {
      const piece = asObject(data)
      if (!piece) throw new GarbledReply('it is not an object')
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

/** Text, or parts that may contain reasoning: `[{type: 'thinking', thinking: [{text}]}, {type: 'text', text}]`. */
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
