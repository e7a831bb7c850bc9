import { type Call, type Finish, parse, type ParserOptions } from '@toolglot/core'
import { hermes } from '@toolglot/core/protocols/hermes'
import { yieldToOthers } from '../../time/yield-to-others.ts'
import type { ModelChunk } from '../../model/model.ts'
import { TextBuffer } from './text-buffer.ts'
import type { ReplyEvent } from './parse-reply-stream.ts'

type CallChunk = Extract<ModelChunk, { type: 'call' }>

interface Draft {
  id: string | undefined
  name: string
  readonly pieces: TextBuffer
  length: number
}

/** Calls that a model makes by function calling of its own, as they come. */
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
      this.#drafts.set(index, (draft = { id, name: name ?? '', pieces: new TextBuffer(), length: 0 }))
      this.#emit({ type: 'call-start', index, id: this.#idOf(index, draft), name: draft.name })
    } else if (name !== undefined && draft.name === '') draft.name = name
    if (draft.length > MAX) return
    draft.pieces.add(delta)
    draft.length += delta.length
    if (delta !== '') this.#emit({ type: 'call-delta', index, delta })
  }

  async end(finish: Finish): Promise<Call[]> {
    const isCut = finish === 'length' || finish === 'broken'
    const calls: Call[] = []
    for (const [index, draft] of this.#drafts) {
      const call = this.#read(index, draft, isCut)
      this.#emit({ type: 'call-end', index, call })
      calls.push(call)
      const pause = yieldToOthers()
      if (pause) await pause
    }
    return calls
  }

  #idOf(index: number, { id }: Draft): string {
    const made = this.#options.makeId?.(index)
    // Calls that are printed as text are counted too.
    return made === undefined ? (id ?? `call-${index}`) : `${made}-native`
  }

  /** The arguments are read, repaired and typed as any call's are: they are put into the text of one. */
  #read(index: number, draft: Draft, isCut: boolean): Call {
    const raw = draft.pieces.text()
    const text = drawn(draft.name, raw)
    const { tools, repairs } = this.#options
    const found = parse(text, {
      protocols: hermes,
      ...(tools && { tools }),
      ...(repairs !== undefined && { repairs }),
    }).calls
    const [call] = found
    const isWhole = found.length === 1 && call!.span[0] === 0 && call!.span[1] === text.length
    return {
      ...(isWhole ? call! : { args: {}, repairs: [], protocol: 'native', span: [0, 0] }),
      id: this.#idOf(index, draft),
      name: draft.name,
      raw,
      protocol: 'native',
      // No arguments are whole ones, unless they might still have come.
      complete: isWhole && call!.complete && draft.name !== '' && !(isCut && raw.trim() === ''),
    }
  }
}

/** The longest arguments that are kept. */
const MAX = 4 << 20

function drawn(name: string, raw: string): string {
  const args = raw.trim() || '{}'
  return `<tool_call>\n{"name": ${JSON.stringify(name || 'nameless')}, "arguments": ${args}}\n</tool_call>`
}
