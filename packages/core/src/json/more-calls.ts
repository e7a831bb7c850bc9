import type { PrintableCall } from '../protocol.ts'
import type { CallBuilder } from '../read/call-builder.ts'
import type { Input, Reader } from '../read/input.ts'
import { eat, isSpace, some, space, YES } from '../read/readers.ts'
import { isSchema, reach } from '../schema/resolve.ts'
import { COMMA, OPEN } from './characters.ts'
import { duplicateKeyIn } from './duplicate-key.ts'
import type { Envelope, Role } from './envelope.ts'
import { readJsonText } from './read.ts'

/** Reads more objects after the first, between the same marks: each is a call. False: the reply ended inside one. */
export function readMoreCalls(
  input: Input,
  builder: CallBuilder,
  envelope: Envelope,
): Reader<boolean> {
  let at = 0
  while (isSpace(input.code(at))) at++
  const code = input.code(at)
  if (at >= input.length || code === COMMA || code === OPEN)
    return readAll(input, builder, envelope)
  input.reread += at
  builder.closed = true
  return YES
}

function* readAll(input: Input, builder: CallBuilder, envelope: Envelope): Reader<boolean> {
  const calls: PrintableCall[] = []
  for (;;) {
    const from = input.hold()
    yield* space(input)
    yield* eat(input, ',')
    yield* space(input)
    const begun = (yield* some(input)) && input.code() === 123
    const json = begun ? yield* readJsonText(input, builder) : undefined
    const call = json === undefined ? undefined : callOf(json, envelope, builder)
    if (!call) {
      const cut = begun && input.finished && input.over
      if (cut) input.release()
      else input.back()
      builder.batch = calls
      builder.closed = !cut
      return !cut
    }
    input.release()
    builder.repair('several-calls', from)
    calls.push(call)
  }
}

function callOf(
  json: string,
  { roles, encoded }: Envelope,
  builder: CallBuilder,
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
  return isSchema(given) ? { name: called, args: builder.typed(given, called) } : undefined
}

/** Undefined if a key occurs twice. */
function readOnce(json: string): unknown {
  return duplicateKeyIn(json) === undefined ? JSON.parse(json) : undefined
}
