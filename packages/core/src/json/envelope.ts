import type { CallBuilder } from '../read/call-builder.ts'
import { Input, type Reader, Pieces } from '../read/input.ts'
import { NO, some, space, YES, eat, isSpace } from '../read/readers.ts'
import { declares, requiredOf } from '../schema/property.ts'
import { Members, readArguments, closeFence, openFence } from './arguments.ts'
import { duplicateKeyIn, COMMA, OPEN } from './text.ts'
import { readJson, readJsonText } from './read.ts'
import { JsonScanner } from './scanner.ts'
import type { PrintableCall } from '../protocol.ts'
import { isSchema, reach } from '../schema/resolve.ts'

/**
 * The members of an object that contain a call, by dotted path. With `encoded`, the arguments may
 * be JSON in a string.
 */
interface Envelope {
  readonly roles: ReadonlyMap<string, Role>
  readonly encoded: boolean
}

/** The role of an envelope's member in the call. */
export type Role = 'name' | 'args' | 'id' | 'reasoning'

/**
 * Reads an object whose members include the name and the arguments, in any order. With `more`,
 * other objects may follow.
 */
export function* readEnvelope(
  input: Input,
  builder: CallBuilder,
  envelope: Envelope,
  more: boolean,
): Reader<boolean> {
  if (!(yield* openFence(input, builder))) return false
  const { roles, encoded } = envelope
  const json = new JsonScanner()
  const seen: (Role | 'extra')[] = []
  const pathOf = (role: Role): string | undefined =>
    [...roles.keys()].find((path) => roles.get(path) === role)
  let path: string[] = []
  let members: Members | undefined
  let argumentsDepth = 0
  let captured: { role: Role | 'extra'; text: Pieces; from: number } | undefined
  let repairsBefore = 0
  let extra: Extra | undefined
  let doubled = false

  for (;;) {
    if (!(yield* readJson(input, json, builder))) {
      if (members) members.cut()
      else if (captured?.role === 'name' && json.afterValue(path.length)) {
        // The object was cut off after the name, so at least the name is known.
        json.confirm()
        yield* settle('name', captured.text.toString(), builder, encoded, captured.from)
      }
      return false
    }
    if (members) {
      members.next()
      if (json.why === 'key' && json.depth > argumentsDepth) {
        members.start()
        continue
      }
      members = undefined
      builder.finishArguments()
    }
    if (captured?.role === 'extra') {
      const text = captured.text.toString()
      extra ??= Object.create(null) as Extra
      doubled ||= path[0]! in extra || duplicateKeyIn(text) !== undefined
      extra[path[0]!] = [JSON.parse(text), captured.from]
    } else if (
      captured &&
      !(yield* settle(captured.role, captured.text.toString(), builder, encoded, captured.from))
    )
      return false
    captured = undefined
    if (nameIsBare(builder, repairsBefore))
      return builder.fail('no-name', "the tool's name in quotes")
    repairsBefore = builder.repairs.length
    if (json.why === 'done') break

    path = [...path.slice(0, json.depth - 1), json.key]
    json.watch = json.depth
    const at = path.join('.')
    let role: ReturnType<typeof aliasOf> | 'extra' =
      roles.get(at) ?? aliasOf(at, seen, builder, pathOf)
    if (role === 'ambiguous' || (role && seen.includes(role))) {
      return builder.fail('ambiguous', 'one name and one set of arguments')
    }
    if (!role && [...roles.keys()].some((path) => path.startsWith(`${at}.`)))
      json.watch = json.depth + 1
    else if (!role && json.depth === 1) {
      // Without marks, this is some other object with a name.
      if (builder.markerless && !builder.announced && !HARMLESS.has(at))
        return builder.fail('shape', 'the arguments as an object')
      role = 'extra'
    }
    if (!role) continue
    if (role !== 'extra') seen.push(role)
    if (role === 'args') {
      yield* space(input)
      yield* some(input)
      if (input.code() === 123) {
        argumentsDepth = json.depth
        json.watch = json.depth + 1
        members = new Members(json, builder)
        builder.begin()
        continue
      }
    }
    const text = new Pieces()
    captured = { role, text, from: input.place }
    json.sink = (piece) => text.add(piece)
  }

  if (builder.name === undefined) return builder.fail('no-name', `"${pathOf('name')}"`)
  if (!seen.includes('args')) {
    if (builder.markerless) return builder.fail('shape', `"${pathOf('args')}"`)
    if (extra && takeFlat(extra, builder) && doubled) builder.repair('duplicate-key')
    builder.finishArguments(false)
  }
  for (const [key, [, at]] of Object.entries(extra ?? {}))
    if (!HARMLESS.has(key)) builder.repair('extra-member', key, '', at)
  builder.closed = true
  yield* closeFence(input, builder)
  return more && builder.mayRepair ? yield* readMoreCalls(input, builder, envelope) : true
}

/** Members without a role, each with its value and the place where the value begins. */
type Extra = Record<string, [value: unknown, from: number]>

/**
 * Takes arguments that are beside the name: those that the tool declares, or all if the tool is
 * unknown.
 */
function takeFlat(extra: Extra, builder: CallBuilder): boolean {
  const { parameters } = builder
  const flat = Object.entries(extra).filter(([key]) =>
    parameters ? declares(parameters, key) : !HARMLESS.has(key),
  )
  if (flat.length === 0 || !builder.repairsEnabled || !builder.take('flat-arguments')) return false
  const args = flat.map(([key, [value, from]]) => {
    builder.note('flat-arguments', key, '', from)
    delete extra[key]
    return [key, value] as const
  })
  builder.writeAll(Object.fromEntries(args))
  return true
}

/** True if a bare word has just become the name but is not the name of any tool. */
function nameIsBare(builder: CallBuilder, repairsBefore: number): boolean {
  const bare = builder.repairs.indexOf('unquoted-string') >= repairsBefore
  return (
    bare && !builder.announced && builder.name !== undefined && !builder.tools?.has(builder.name)
  )
}

/** Applies a complete member to the call. */
function settle(
  role: Role,
  text: string,
  builder: CallBuilder,
  encoded: boolean,
  from: number,
): Reader<boolean> {
  // Most values are short strings, which need no parser.
  const plain = text.startsWith('"') && !text.includes('\\')
  const value: unknown = plain ? text.slice(1, -1) : JSON.parse(text)
  if (role === 'args') return settleArguments(value, builder, encoded, from)
  if (role === 'id' && typeof value === 'number') builder.identify(String(value))
  if (typeof value !== 'string') {
    const read = role !== 'name' || builder.fail('shape', "the tool's name in quotes")
    return read ? YES : NO
  }
  if (role === 'name') return builder.setName(value) ? YES : NO
  if (role === 'id') builder.identify(value)
  else builder.reasoning = value
  return YES
}

/** Settles arguments that are not an object: null, or JSON in a string. */
function* settleArguments(
  value: unknown,
  builder: CallBuilder,
  encoded: boolean,
  from: number,
): Reader<boolean> {
  if (value === null && builder.mayRepair && !requiredOf(builder.parameters)[0]) {
    builder.repair('null-arguments', from, '{}')
    builder.finishArguments()
    return true
  }
  if (typeof value !== 'string' || !(encoded || builder.mayRepair)) {
    return builder.fail('shape', 'the arguments as an object')
  }
  if (!encoded) builder.repair('double-encoded', from, value)
  const inner = new Input()
  inner.append(value)
  inner.finish()
  builder.inner = { input: inner, from }
  const read = yield* readArguments(inner, builder)
  builder.inner = undefined
  builder.closed = false
  yield* space(inner)
  return (read && inner.length === 0) || builder.fail('shape', 'the arguments as an object')
}

/**
 * The role of a member that has another model's word for the name or the arguments. If the right
 * word is also present, the call is ambiguous.
 */
function aliasOf(
  at: string,
  seen: readonly string[],
  builder: CallBuilder,
  pathOf: (role: Role) => string | undefined,
): Role | 'ambiguous' | undefined {
  const role = ALIASES.get(at)
  if (!role) return undefined
  if (seen.includes(role) || !builder.mayRepair) return 'ambiguous'
  builder.repair('alias-key', at, pathOf(role))
  return role
}

const ALIASES = new Map<string, Role>([
  ['name', 'name'],
  ['tool', 'name'],
  ['tool_name', 'name'],
  ['arguments', 'args'],
  ['args', 'args'],
  ['parameters', 'args'],
])

/** Members that many envelopes have and that carry no information. */
const HARMLESS = new Set(['type', 'id', 'index'])

/**
 * Reads further objects between the same marks, each of which is a call. False if the reply ended
 * inside one.
 */
function readMoreCalls(input: Input, builder: CallBuilder, envelope: Envelope): Reader<boolean> {
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

/** Parses JSON. Undefined if a key occurs twice. */
function readOnce(json: string): unknown {
  return duplicateKeyIn(json) === undefined ? JSON.parse(json) : undefined
}
