import type { Finish } from '@toolglot/core'
import type { ModelChunk } from '../model.ts'
import type { Usage } from '../usage.ts'
import { createCallDeltas } from './call-deltas.ts'
import { garbled } from './garbled.ts'
import { usageOf } from './usage-of.ts'

/** How a reply ended, as far as the server told: the `filtered` one is not to be trusted. */
export type Ending = Finish | 'filtered'

/** Reads a reply from what a server sends: pieces of a stream, or the whole at once. */
export function createReading(): {
  /** `json` is the text that it came in. */
  read(data: unknown, json: string): ModelChunk[]
  readonly ending: Ending | undefined
  readonly usage: Usage | undefined
} {
  const calls = createCallDeltas()
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
      const piece = objectOf(data)
      if (!piece) throw garbled('it is no object')
      // Counted more than once, the last counts.
      usage = usageOf(piece['usage'] ?? objectOf(piece['x_groq'])?.['usage']) ?? usage
      const choices = piece['choices']
      if (choices === undefined || choices === null) return []
      if (!Array.isArray(choices)) throw garbled('its choices are no list')
      return choices.flatMap((choice) => readChoice(choice, json))
    },
  }

  function readChoice(data: unknown, json: string): ModelChunk[] {
    const choice = objectOf(data)
    if (!choice) throw garbled('a choice is no object')
    if ((choice['index'] ?? 0) !== 0) throw garbled('there are several replies in it')
    const said = objectOf(choice['delta']) ?? objectOf(choice['message']) ?? {}
    const chunks: ModelChunk[] = [
      ...texts('reasoning', said['reasoning_content'] ?? said['reasoning'] ?? said['thinking']),
      ...contentOf(said['content']),
      ...texts('text', said['refusal']),
      ...calls.read(said['tool_calls'], json),
    ]
    end(choice['finish_reason'], choice['stop_reason'])
    return chunks
  }

  function end(reason: unknown, stopReason: unknown): void {
    if (typeof reason !== 'string' || reason === '' || reason === 'null') return
    const given = reason === 'stop' && typeof stopReason === 'string' ? 'stop_sequence' : reason
    const told = ENDINGS.get(given.toLowerCase()) ?? 'broken'
    if (ending && ending !== told) throw garbled(`it ended twice, by ${ending} and by ${told}`)
    ending = told
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

/** A text; or parts, of which some are thoughts: `[{type: 'thinking', thinking: [{text}]}, {type: 'text', text}]`. */
function contentOf(content: unknown): ModelChunk[] {
  if (!Array.isArray(content)) return texts('text', content)
  return content.flatMap((part): ModelChunk[] => {
    const { text, thinking } = objectOf(part) ?? {}
    const thoughts = Array.isArray(thinking)
      ? thinking.flatMap((thought) => texts('reasoning', objectOf(thought)?.['text']))
      : texts('reasoning', thinking)
    return [...thoughts, ...texts('text', text)]
  })
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}
