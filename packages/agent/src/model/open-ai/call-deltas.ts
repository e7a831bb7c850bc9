import { duplicateKeyProblem } from '../../tool/duplicate-key.ts'
import type { ModelChunk } from '../model.ts'
import { garbled } from './garbled.ts'

type CallChunk = Extract<ModelChunk, { type: 'call' }>

/** Puts calls together from pieces, by index. What comes twice counts once; what contradicts itself throws a text. */
export function createCallDeltas(): { read(deltas: unknown, json: string): CallChunk[] } {
  const calls: { id: string | undefined; name: string; args: string }[] = []

  return {
    read: (deltas, json) =>
      Array.isArray(deltas) ? deltas.flatMap((delta) => readOne(delta, json)) : [],
  }

  function readOne(delta: unknown, json: string): CallChunk[] {
    const given = (delta ?? {}) as { index?: unknown; id?: unknown; function?: unknown }
    const inner = (given.function ?? {}) as { name?: unknown; arguments?: unknown }
    const id = textOf(given.id)
    const name = textOf(inner.name)
    const args = argumentsOf(inner.arguments, json)
    const index = indexOf(given.index, id, name)

    const call = calls[index]
    if (!call) {
      if (index !== calls.length)
        throw garbled(`call ${index} came, where call ${calls.length} was next`)
      if (index >= MAX) throw garbled(`there are more than ${MAX} calls in it`)
      if (name === undefined) throw garbled(`call ${index} began without a name`)
      calls.push({ id, name, args })
      return [{ type: 'call', index, ...(id !== undefined && { id }), name, ...part(args) }]
    }
    if (id !== undefined && call.id !== undefined && id !== call.id)
      throw garbled(`call ${index} came with two ids`)
    if (name !== undefined && name !== call.name)
      throw garbled(`call ${index} came with two names, ${call.name} and ${name}`)
    // The whole call once more.
    if (args === '' || (name !== undefined && id !== undefined && args === call.args)) return []
    if (index !== calls.length - 1) throw garbled(`call ${index} went on after the next had begun`)
    call.args += args
    return [{ type: 'call', index, delta: args }]
  }

  /** Some servers do not count: a name begins a call, and the rest belongs to it. */
  function indexOf(index: unknown, id: string | undefined, name: string | undefined): number {
    if (Number.isSafeInteger(index) && Number(index) >= 0) return Number(index)
    if (index !== undefined && index !== null)
      throw garbled('a call has an index that is no number')
    const known = id === undefined ? -1 : calls.findIndex((call) => call.id === id)
    if (known >= 0) return known
    return name === undefined ? Math.max(0, calls.length - 1) : calls.length
  }
}

/** No reply holds so many that is one. */
const MAX = 1000

function part(args: string): { delta?: string } {
  return args === '' ? {} : { delta: args }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** JSON's text; some servers send the object itself, in the text that all of it came in. */
function argumentsOf(value: unknown, json: string): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  const problem = duplicateKeyProblem(json)
  if (problem !== undefined) throw garbled(problem)
  return JSON.stringify(value)
}
