import { type Call, type Finish, parse, type ParserOptions } from '@toolglot/core'
import { hermes } from '@toolglot/core/protocols/hermes'
import type { ModelChunk } from '../../model/model.ts'
import { yieldToOthers } from '../../time/yield-to-others.ts'
import { TextBuffer } from './text-buffer.ts'
import type { ReplyEvent } from './parse-reply-stream.ts'

type CallChunk = Extract<ModelChunk, { type: 'call' }>

interface Draft {
  id: string | undefined
  name: string
  readonly json: TextBuffer
  length: number
}

/** Assembles native calls, the ones a model makes by function calling, while they stream. */
export class NativeCalls {
  readonly #drafts = new Map<number, Draft>()
  readonly #options: ParserOptions
  readonly #emit: (event: ReplyEvent) => void

  constructor(options: ParserOptions, emit: (event: ReplyEvent) => void) {
    this.#options = options
    this.#emit = emit
  }

  add({ index, id, name, delta = '' }: CallChunk): void {
    let draft = this.#drafts.get(index)
    if (!draft) {
      this.#drafts.set(index, (draft = { id, name: name ?? '', json: new TextBuffer(), length: 0 }))
      this.#emit({ type: 'call-start', index, id: this.#idOf(index, draft), name: draft.name })
    } else if (name !== undefined && draft.name === '') draft.name = name
    if (draft.length > MAX_LENGTH) return
    draft.json.add(delta)
    draft.length += delta.length
    if (delta !== '') this.#emit({ type: 'call-delta', index, delta })
  }

  async end(finish: Finish): Promise<Call[]> {
    const isCutOff = finish === 'length' || finish === 'broken'
    const calls: Call[] = []
    for (const [index, draft] of this.#drafts) {
      const call = this.#parse(index, draft, isCutOff)
      this.#emit({ type: 'call-end', index, call })
      calls.push(call)
      const pause = yieldToOthers()
      if (pause) await pause
    }
    return calls
  }

  #idOf(index: number, { id }: Draft): string {
    const ownId = this.#options.makeId?.(index)
    // Calls written as text in the same reply are numbered with the same indices.
    return ownId === undefined ? (id ?? `call-${index}`) : `${ownId}-native`
  }

  /** Prints the call as text and parses that, so that its arguments are repaired and typed like those of any call. */
  #parse(index: number, draft: Draft, isCutOff: boolean): Call {
    const raw = draft.json.toString()
    const text = printCall(draft.name, raw)
    const { tools, repairs } = this.#options
    const parsed = parse(text, {
      protocols: hermes,
      ...(tools && { tools }),
      ...(repairs !== undefined && { repairs }),
    }).calls
    const [call] = parsed
    const isWhole = parsed.length === 1 && call!.span[0] === 0 && call!.span[1] === text.length
    return {
      ...(isWhole ? call! : { args: {}, repairs: [], protocol: 'native', span: [0, 0] }),
      id: this.#idOf(index, draft),
      name: draft.name,
      raw,
      protocol: 'native',
      // Empty arguments are complete, unless the reply was cut off before they came.
      complete: isWhole && call!.complete && draft.name !== '' && !(isCutOff && raw.trim() === ''),
    }
  }
}

/** How much of the arguments is kept, in characters. */
const MAX_LENGTH = 4 << 20

function printCall(name: string, raw: string): string {
  const args = raw.trim() || '{}'
  return `<tool_call>\n{"name": ${JSON.stringify(name || 'nameless')}, "arguments": ${args}}\n</tool_call>`
}
