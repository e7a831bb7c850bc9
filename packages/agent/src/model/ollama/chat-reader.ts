import type { Finish } from '@toolglot/core'
import { asObject } from '../as-object.ts'
import { GarbledReply } from '../http/garbled-reply.ts'
import { readUsage } from '../http/read-usage.ts'
import type { ModelChunk } from '../model.ts'
import type { Usage } from '../usage.ts'

/** Reads the lines of a reply of `/api/chat`. */
export class ChatReader {
  /** The last line was read. */
  isDone = false
  #calls = 0
  #usage: Usage | undefined
  #finish: Finish = 'broken'

  read(line: Readonly<Record<string, unknown>>): readonly ModelChunk[] {
    const message = asObject(line['message'])
    if (!message && line['done'] !== true)
      throw new GarbledReply(`expected a message, got ${JSON.stringify(line)}`)
    const { content, thinking, tool_calls: calls } = message ?? {}
    const chunks: ModelChunk[] = [
      ...texts('reasoning', thinking),
      ...texts('text', content),
      ...(Array.isArray(calls) ? calls.map((call: unknown) => this.#callOf(call)) : []),
    ]
    if (line['done'] === true) {
      this.isDone = true
      this.#finish = line['done_reason'] === 'length' ? 'length' : 'stop'
      this.#usage = readUsage({
        prompt_tokens: line['prompt_eval_count'],
        completion_tokens: line['eval_count'],
        prompt_tokens_details: { cached_tokens: line['prompt_eval_cached_count'] },
      })
    }
    return chunks
  }

  /** What comes after the last line. */
  end(): readonly ModelChunk[] {
    return [
      ...(this.#usage ? [{ type: 'usage', usage: this.#usage } as const] : []),
      { type: 'finish', finish: this.#finish },
    ]
  }

  /** A native call comes whole. */
  #callOf(value: unknown): ModelChunk {
    const { name, arguments: args } = asObject(asObject(value)?.['function']) ?? {}
    if (typeof name !== 'string') throw new GarbledReply('a call has no name')
    const index = this.#calls++
    return { type: 'call', index, id: `call_${index}`, name, delta: JSON.stringify(args ?? {}) }
  }
}

function texts(type: 'text' | 'reasoning', value: unknown): ModelChunk[] {
  return typeof value === 'string' && value !== '' ? [{ type, delta: value }] : []
}
