import { duplicateKeyProblem } from '../../tool/duplicate-key.ts'
import type { ModelChunk } from '../model.ts'
import { GarbledReply } from '../http/garbled-reply.ts'

type CallChunk = Extract<ModelChunk, { type: 'call' }>

/** Assembles calls from their deltas, by index. Repeated deltas are skipped; contradictions throw a GarbledReply. */
export function createCallAssembler(): { read(deltas: unknown, json: string): CallChunk[] } {
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
    // The whole call again.
    if (args === '' || (name !== undefined && id !== undefined && args === call.args)) return []
    if (index !== calls.length - 1)
      throw new GarbledReply(`call ${index} continues after the next call started`)
    call.args += args
    return [{ type: 'call', index, delta: args }]
  }

  /** Some servers send no index: then a name starts a new call, and other deltas belong to the last one. */
  function indexOf(index: unknown, id: string | undefined, name: string | undefined): number {
    if (Number.isSafeInteger(index) && Number(index) >= 0) return Number(index)
    if (index !== undefined && index !== null) throw new GarbledReply('a call has an invalid index')
    const known = id === undefined ? -1 : calls.findIndex((call) => call.id === id)
    if (known >= 0) return known
    return name === undefined ? Math.max(0, calls.length - 1) : calls.length
  }
}

/** No valid reply contains more calls. */
const MAX_CALLS = 1000

function deltaOf(args: string): { delta?: string } {
  return args === '' ? {} : { delta: args }
}

function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The arguments as JSON text. Some servers send an object instead: `json` is the text that it was part of. */
function argumentsOf(value: unknown, json: string): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  const problem = duplicateKeyProblem(json)
  if (problem !== undefined) throw new GarbledReply(problem)
  return JSON.stringify(value)
}
