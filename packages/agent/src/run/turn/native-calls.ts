import {
  type Finish,
  parseArguments,
  type ParserOptions,
  type ToolDefinition,
} from '@toolglot/core'
import type { ModelChunk } from '../../model/model.ts'
import { yieldToOthers } from '../../time/yield-to-others.ts'
import type { RunCall } from '../event.ts'
import type { CallIds } from './call-ids.ts'
import type { ReplyEvent } from './parse-reply-stream.ts'

type CallChunk = Extract<ModelChunk, { type: 'call' }>

interface NativeOptions extends Pick<ParserOptions, 'repairs'> {
  readonly tools?: readonly ToolDefinition[]
}

interface CallBuilder {
  id: string | undefined
  name: string
  readonly json: TextBuffer
  length: number
  isAnnounced: boolean
}

/** Assembles native calls, which a model makes through function calling, while they stream. */
export class NativeCalls {
  readonly #builders = new Map<number, CallBuilder>()
  readonly #options: NativeOptions
  readonly #ids: CallIds
  readonly #emit: (event: ReplyEvent) => void

  constructor(options: NativeOptions, ids: CallIds, emit: (event: ReplyEvent) => void) {
    this.#options = options
    this.#ids = ids
    this.#emit = emit
  }

  add({ index, id, name, delta = '' }: CallChunk): void {
    let builder = this.#builders.get(index)
    if (!builder) {
      builder = { id, name: name ?? '', json: new TextBuffer(), length: 0, isAnnounced: false }
      this.#builders.set(index, builder)
    } else if (name !== undefined && builder.name === '') builder.name = name
    if (builder.length > MAX_LENGTH) return
    builder.json.add(delta)
    builder.length += delta.length
    if (!builder.isAnnounced && builder.name !== '') this.#announce(index, builder)
    else if (builder.isAnnounced) this.#emitDelta(index, delta)
  }

  /** Some servers send the name after the start of the arguments. */
  #announce(index: number, builder: CallBuilder): void {
    builder.isAnnounced = true
    this.#emit({
      type: 'call-start',
      index: this.#ids.indexOf(index, true),
      id: this.#ids.idOf(index, builder.id, true),
      name: builder.name,
    })
    this.#emitDelta(index, builder.json.toString())
  }

  #emitDelta(index: number, delta: string): void {
    if (delta === '') return
    this.#emit({ type: 'call-delta', index: this.#ids.indexOf(index, true), delta })
  }

  async end(finish: Finish): Promise<RunCall[]> {
    const isCutOff = finish === 'length' || finish === 'broken'
    const calls: RunCall[] = []
    for (const [index, builder] of this.#builders) {
      if (!builder.isAnnounced) this.#announce(index, builder)
      const call = this.#parse(index, builder, isCutOff)
      this.#emit({ type: 'call-end', index: this.#ids.indexOf(index, true), call })
      calls.push(call)
      const pause = yieldToOthers()
      if (pause) await pause
    }
    return calls
  }

  #parse(index: number, { id, name, json }: CallBuilder, isCutOff: boolean): RunCall {
    const raw = json.toString()
    const written = raw.trim()
    const { tools, repairs } = this.#options
    const parameters = tools?.find((tool) => tool.name === name)?.parameters
    const read = parseArguments(written || '{}', parameters, { repairs })
    const native = {
      ...(read ?? { args: {}, repairs: [] }),
      id,
      name,
      raw,
      span: [0, 0] as const,
      protocol: 'native',
      ...(written === '' && { argsMissing: true as const }),
      // Empty arguments are complete unless the reply was cut off before them.
      complete: read?.complete === true && name !== '' && !(isCutOff && written === ''),
    }
    return this.#ids.rename(index, native, true)
  }
}

/** The maximum length of arguments to keep, in characters. */
const MAX_LENGTH = 4 << 20

/**
 * Joins small pieces of text in batches, so that the garbage collector has fewer strings to visit.
 */
export class TextBuffer {
  #joined = ''
  #latest: string[] = []

  add(piece: string): void {
    if (this.#latest.push(piece) >= MAX_PIECES) this.#join()
  }

  toString(): string {
    this.#join()
    return this.#joined
  }

  #join(): void {
    this.#joined += this.#latest.join('')
    this.#latest = []
  }
}

const MAX_PIECES = 64
