import { type Finish, parse, type ParserOptions } from '@toolglot/core'
import { hermes } from '@toolglot/core/protocols/hermes'
import type { ModelChunk } from '../../model/model.ts'
import { yieldToOthers } from '../../time/yield-to-others.ts'
import type { RunCall } from '../event.ts'
import type { CallIds } from './call-ids.ts'
import { TextBuffer } from './text-buffer.ts'
import type { ReplyEvent } from './parse-reply-stream.ts'

type CallChunk = Extract<ModelChunk, { type: 'call' }>

interface Draft {
  id: string | undefined
  name: string
  readonly json: TextBuffer
  length: number
  isAnnounced: boolean
}

/** Assembles native calls, the ones a model makes by function calling, while they stream. */
export class NativeCalls {
  readonly #drafts = new Map<number, Draft>()
  readonly #options: ParserOptions
  readonly #ids: CallIds
  readonly #emit: (event: ReplyEvent) => void

  constructor(options: ParserOptions, ids: CallIds, emit: (event: ReplyEvent) => void) {
    this.#options = options
    this.#ids = ids
    this.#emit = emit
  }

  add({ index, id, name, delta = '' }: CallChunk): void {
    let draft = this.#drafts.get(index)
    if (!draft) {
      draft = { id, name: name ?? '', json: new TextBuffer(), length: 0, isAnnounced: false }
      this.#drafts.set(index, draft)
    } else if (name !== undefined && draft.name === '') draft.name = name
    if (draft.length > MAX_LENGTH) return
    draft.json.add(delta)
    draft.length += delta.length
    if (!draft.isAnnounced && draft.name !== '') this.#announce(index, draft)
    else if (draft.isAnnounced) this.#emitDelta(index, delta)
  }

  /** Some servers send the name after the arguments have begun. */
  #announce(index: number, draft: Draft): void {
    draft.isAnnounced = true
    this.#emit({
      type: 'call-start',
      index: this.#ids.indexOf(index, true),
      id: this.#ids.idOf(index, draft.id, true),
      name: draft.name,
    })
    this.#emitDelta(index, draft.json.toString())
  }

  #emitDelta(index: number, delta: string): void {
    if (delta === '') return
    this.#emit({ type: 'call-delta', index: this.#ids.indexOf(index, true), delta })
  }

  async end(finish: Finish): Promise<RunCall[]> {
    const isCutOff = finish === 'length' || finish === 'broken'
    const calls: RunCall[] = []
    for (const [index, draft] of this.#drafts) {
      if (!draft.isAnnounced) this.#announce(index, draft)
      const call = this.#parse(index, draft, isCutOff)
      this.#emit({ type: 'call-end', index: this.#ids.indexOf(index, true), call })
      calls.push(call)
      const pause = yieldToOthers()
      if (pause) await pause
    }
    return calls
  }

  /** Prints the call as text and parses that, so that its arguments are repaired and typed like those of any call. */
  #parse(index: number, draft: Draft, isCutOff: boolean): RunCall {
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
    const native = {
      ...(isWhole ? call! : { args: {}, repairs: [], span: [0, 0] as const }),
      id: draft.id,
      name: draft.name,
      raw,
      protocol: 'native',
      ...(raw.trim() === '' && { argsMissing: true as const }),
      // Empty arguments are complete, unless the reply was cut off before they came.
      complete: isWhole && call!.complete && draft.name !== '' && !(isCutOff && raw.trim() === ''),
    }
    return this.#ids.rename(index, native, true)
  }
}

/** How much of the arguments is kept, in characters. */
const MAX_LENGTH = 4 << 20

function printCall(name: string, raw: string): string {
  const args = raw.trim() || '{}'
  return `<tool_call>\n{"name": ${JSON.stringify(name || 'nameless')}, "arguments": ${args}}\n</tool_call>`
}
