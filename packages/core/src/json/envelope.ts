import type { Draft } from '../read/draft.ts'
import { Input, type Reader } from '../read/input.ts'
import { Pieces } from '../read/pieces.ts'
import { NO, some, space, YES } from '../read/readers.ts'
import { declares, requiredOf } from '../schema/property.ts'
import { Members, readArguments } from './arguments.ts'
import { duplicateKeyIn } from './duplicate-key.ts'
import { closeFence, openFence } from './fence.ts'
import { readMoreCalls } from './more-calls.ts'
import { readJson } from './read.ts'
import { JsonScanner } from './scanner.ts'

/** Which members of an object carry a call, by dotted path, and whether the arguments may be JSON in a string. */
export interface Envelope {
  readonly roles: ReadonlyMap<string, Role>
  readonly encoded: boolean
}

/** What a member of an envelope means for the call. */
export type Role = 'name' | 'args' | 'id' | 'reasoning'

/** Reads an object that has the name and the arguments among its members, in any order. With `more`, others may follow it. */
export function* readEnvelope(
  input: Input,
  draft: Draft,
  envelope: Envelope,
  more: boolean,
): Reader<boolean> {
  if (!(yield* openFence(input, draft))) return false
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
    if (!(yield* readJson(input, json, draft))) {
      if (members) members.cut()
      else if (captured?.role === 'name' && json.afterValue(path.length)) {
        // Cut after the name: at least that is known.
        json.confirm()
        yield* settle('name', captured.text.toString(), draft, encoded, captured.from)
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
      draft.finishArguments()
    }
    if (captured?.role === 'extra') {
      const text = captured.text.toString()
      extra ??= Object.create(null) as Extra
      doubled ||= path[0]! in extra || duplicateKeyIn(text) !== undefined
      extra[path[0]!] = [JSON.parse(text), captured.from]
    } else if (
      captured &&
      !(yield* settle(captured.role, captured.text.toString(), draft, encoded, captured.from))
    )
      return false
    captured = undefined
    if (nameIsBare(draft, repairsBefore)) return draft.fail('no-name', "the tool's name in quotes")
    repairsBefore = draft.repairs.length
    if (json.why === 'done') break

    path = [...path.slice(0, json.depth - 1), json.key]
    json.watch = json.depth
    const at = path.join('.')
    let role: ReturnType<typeof aliasOf> | 'extra' =
      roles.get(at) ?? aliasOf(at, seen, draft, pathOf)
    if (role === 'ambiguous' || (role && seen.includes(role))) {
      return draft.fail('ambiguous', 'one name and one set of arguments')
    }
    if (!role && [...roles.keys()].some((path) => path.startsWith(`${at}.`)))
      json.watch = json.depth + 1
    else if (!role && json.depth === 1) {
      // Without marks, it is something else that has a name.
      if (draft.markerless && !draft.announced && !HARMLESS.has(at))
        return draft.fail('shape', 'the arguments as an object')
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
        members = new Members(json, draft)
        draft.begin()
        continue
      }
    }
    const text = new Pieces()
    captured = { role, text, from: input.place }
    json.sink = (piece) => text.add(piece)
  }

  if (draft.name === undefined) return draft.fail('no-name', `"${pathOf('name')}"`)
  if (!seen.includes('args')) {
    if (draft.markerless) return draft.fail('shape', `"${pathOf('args')}"`)
    if (extra && takeFlat(extra, draft) && doubled) draft.repair('duplicate-key')
    draft.finishArguments(false)
  }
  for (const [key, [, at]] of Object.entries(extra ?? {}))
    if (!HARMLESS.has(key)) draft.repair('extra-member', key, '', at)
  draft.closed = true
  yield* closeFence(input, draft)
  return more && draft.mayRepair ? yield* readMoreCalls(input, draft, envelope) : true
}

/** Members that have no role: what each is, and where its value begins. */
type Extra = Record<string, [value: unknown, from: number]>

/** Takes arguments that are next to the name: those that the tool declares, or all of them if that is unknown. */
function takeFlat(extra: Extra, draft: Draft): boolean {
  const { parameters } = draft
  const flat = Object.entries(extra).filter(([key]) =>
    parameters ? declares(parameters, key) : !HARMLESS.has(key),
  )
  if (flat.length === 0 || !draft.repairsEnabled || !draft.take('flat-arguments')) return false
  const args = flat.map(([key, [value, from]]) => {
    draft.note('flat-arguments', key, '', from)
    delete extra[key]
    return [key, value] as const
  })
  draft.writeAll(Object.fromEntries(args))
  return true
}

/** Whether a bare word has just become the name although no tool has that name. */
function nameIsBare(draft: Draft, repairsBefore: number): boolean {
  const bare = draft.repairs.indexOf('unquoted-string') >= repairsBefore
  return bare && !draft.announced && draft.name !== undefined && !draft.tools?.has(draft.name)
}

/** Applies a member that was read whole to the call. */
function settle(
  role: Role,
  text: string,
  draft: Draft,
  encoded: boolean,
  from: number,
): Reader<boolean> {
  // Most are short strings, which need no parser.
  const plain = text.startsWith('"') && !text.includes('\\')
  const value: unknown = plain ? text.slice(1, -1) : JSON.parse(text)
  if (role === 'args') return settleArguments(value, draft, encoded, from)
  if (role === 'id' && typeof value === 'number') draft.identify(String(value))
  if (typeof value !== 'string') {
    const read = role !== 'name' || draft.fail('shape', "the tool's name in quotes")
    return read ? YES : NO
  }
  if (role === 'name') return draft.setName(value) ? YES : NO
  if (role === 'id') draft.identify(value)
  else draft.reasoning = value
  return YES
}

/** Arguments that are not an object: perhaps JSON in a string, or null. */
function* settleArguments(
  value: unknown,
  draft: Draft,
  encoded: boolean,
  from: number,
): Reader<boolean> {
  if (value === null && draft.mayRepair && !requiredOf(draft.parameters)[0]) {
    draft.repair('null-arguments', from, '{}')
    draft.finishArguments()
    return true
  }
  if (typeof value !== 'string' || !(encoded || draft.mayRepair)) {
    return draft.fail('shape', 'the arguments as an object')
  }
  if (!encoded) draft.repair('double-encoded', from, value)
  const inner = new Input()
  inner.append(value)
  inner.finish()
  draft.inner = { input: inner, from }
  const read = yield* readArguments(inner, draft)
  draft.inner = undefined
  draft.closed = false
  yield* space(inner)
  return (read && inner.length === 0) || draft.fail('shape', 'the arguments as an object')
}

/** Other models' words for the name and the arguments. Together with the right word, they are ambiguous. */
function aliasOf(
  at: string,
  seen: readonly string[],
  draft: Draft,
  pathOf: (role: Role) => string | undefined,
): Role | 'ambiguous' | undefined {
  const role = ALIASES.get(at)
  if (!role) return undefined
  if (seen.includes(role) || !draft.mayRepair) return 'ambiguous'
  draft.repair('alias-key', at, pathOf(role))
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

/** Members that many envelopes have and that mean nothing here. */
const HARMLESS = new Set(['type', 'id', 'index'])
