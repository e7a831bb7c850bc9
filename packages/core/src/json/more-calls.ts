import type { PrintableCall } from '../protocol.ts'
import type { Draft } from '../read/draft.ts'
import type { Input, Reader } from '../read/input.ts'
import { eat, isSpace, some, space, YES } from '../read/readers.ts'
import { isSchema, reach } from '../schema/resolve.ts'
import { COMMA, OPEN } from './characters.ts'
import { duplicateKeyIn } from './duplicate-key.ts'
import type { Envelope, Role } from './envelope.ts'
import { readJsonText } from './read.ts'

/** Reads more objects after the first, between the same marks: each is a call. False: the reply ended inside one. */
export function readMoreCalls(input: Input, draft: Draft, envelope: Envelope): Reader<boolean> {
  let at = 0
  while (isSpace(input.code(at))) at++
  const code = input.code(at)
  if (at >= input.length || code === COMMA || code === OPEN) return readAll(input, draft, envelope)
  input.reread += at
  draft.closed = true
  return YES
}

function* readAll(input: Input, draft: Draft, envelope: Envelope): Reader<boolean> {
  const calls: PrintableCall[] = []
  for (;;) {
    const from = input.hold()
    yield* space(input)
    yield* eat(input, ',')
    yield* space(input)
    const begun = (yield* some(input)) && input.code() === 123
    const json = begun ? yield* readJsonText(input, draft) : undefined
    const call = json === undefined ? undefined : callOf(json, envelope, draft)
    if (!call) {
      const cut = begun && input.finished && input.over
      if (cut) input.release()
      else input.back()
      draft.batch = calls
      draft.closed = !cut
      return !cut
    }
    input.release()
    draft.repair('several-calls', from)
    calls.push(call)
  }
}

function callOf(
  json: string,
  { roles, encoded }: Envelope,
  draft: Draft,
): PrintableCall | undefined {
  const object = readOnce(json)
  const find = (role: Role): unknown =>
    [...roles]
      .map(([path, of]) => (of === role ? reach(object, path.split('.')) : undefined))
      .find((value) => value !== undefined)
  const called = find('name')
  let given = find('args')
  if (typeof given === 'string' && encoded) {
    try {
      given = readOnce(given)
    } catch {
      return undefined
    }
  }
  if (typeof called !== 'string' || called === '') return undefined
  return isSchema(given) ? { name: called, args: draft.typed(given, called) } : undefined
}

/** Undefined if a key occurs twice. */
function readOnce(json: string): unknown {
  return duplicateKeyIn(json) === undefined ? JSON.parse(json) : undefined
}
