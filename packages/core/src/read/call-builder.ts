import type { PrintableCall, Schema, ToolDefinition } from '../protocol.ts'
import type { Call, Problem } from '../reply.ts'
import { coerceValue, type NoteChange, refusesText } from '../schema/coerce.ts'
import type { Kind } from '../schema/text-value.ts'
import {
  admits,
  intendedKey,
  intendedKeys,
  isUnsafe,
  lacksRequired,
  propertyOf,
  declares,
} from '../schema/property.ts'
import { cached, kept } from './cached.ts'
import { type Block, grammarOf, inBrackets, isPatient } from './grammar.ts'
import { type Input, type Reader, type Taken, Pieces } from './input.ts'
import { Late } from './late.ts'
import type { Marks } from './marks.ts'
import type { Message, Mutable } from './message.ts'
import type { Repaired } from './recorder.ts'
import { fail } from './failure.ts'

/** The facts about trust that apply to every call that begins at this place. */
export type TrustFacts = Pick<
  Call,
  'inReasoning' | 'fenced' | 'markerless' | 'afterMalformed' | 'afterResult'
>

/** A key in a tool's schema: the argument that it means, and the schema of its value. */
export interface Argument {
  readonly name: string | undefined
  readonly schema: Schema | undefined
  /** Whether text, or what is inside its value, may have to change, once that was asked. */
  refusesText?: boolean
  insideMayChange?: boolean
}

/**
 * A call being read. Its arguments are always JSON text. It is announced as soon as its name is known, and an announced call is
 * always ended; one that was not announced never happened.
 */
export class CallBuilder {
  readonly #message: Message
  readonly #block: Block
  readonly #lenient: boolean
  #patient: boolean
  name: string | undefined
  id: string | undefined
  reasoning: string | undefined
  /** None of its values is open: only closing marks can be missing. */
  closed = false
  /** A value ended where what surrounds it ended: the rest of its picture is missing. */
  unclosed = false
  /** The value of an argument has begun. */
  inValue = false
  /** The reply ended where more of the call may have followed: if the reply was cut, the call is not whole. */
  openEnded = false
  /** Something stands for the arguments, if only an empty object. */
  written = false
  /** More than a name arrived: an argument, or something that shows that there are none. */
  #given = false
  readonly repairs: string[] = []
  #lastKey = ''
  /** Its index, once it is announced. */
  index = -1
  #json = new Pieces()
  #begun = false
  #finished = false
  #retyped = false
  #members = 0
  #keys: Set<string> | undefined
  /** Long values that were parsed while they were read, and the JSON with 0 in place of each. */
  #parsed: { readonly values: Record<string, string>; readonly rest: Pieces } | undefined
  /** The length of the JSON up to the end of the last whole member. */
  #whole = 0
  /** How many keys have been written, at any depth. */
  keys = 0
  /** The name of the argument being read, if each is drawn separately. */
  key = ''
  /** It was written so that it means nothing else, such as the tool's name. */
  isLiteral = false
  /** How the next value is written, if the picture states it. */
  kind: Kind = 'schema'
  /** Returns what takes the value of a key that is not an argument, such as the key of the tool's name. */
  reserved: ((key: string) => ((text: string) => boolean) | undefined) | undefined
  /** Skips text up to this closing mark, if the picture is drawn in tags. */
  skipStray: ((closer: string) => Reader<boolean>) | undefined
  /** Arguments that are written last, and the one of them whose value is being read. */
  #late: Late | undefined
  /** Writes an argument that waits for what follows it; `last`: no other follows. */
  waiting: ((last: boolean) => void) | undefined
  /** More calls in the same block, if the protocol allows several. */
  batch: readonly PrintableCall[] = []
  /** The reader is inside a string in the reply, which begins at `from` there. */
  inner: { readonly input: Input; readonly from: number } | undefined

  /** With `lenient`, repairs are allowed even before it is announced. */
  constructor(message: Message, block: Block, lenient: boolean) {
    this.#message = message
    this.#block = block
    this.#lenient = lenient
    this.#patient = isPatient(message, block)
  }

  /** Sets its id, unless that is empty. An id after the arguments comes too late for the announcement. */
  identify(id: string): true {
    if (id !== '') this.id = id
    return true
  }

  /** The available tools, by name. Undefined: unknown. */
  get tools(): ReadonlyMap<string, ToolDefinition> | undefined {
    return this.#message.tools
  }

  /** Whether it has no marks of its own. */
  get markerless(): boolean {
    return this.#block.weak && !this.#block.anchored
  }

  get announced(): boolean {
    return this.index >= 0
  }

  /** Whether repairs are allowed now. */
  get mayRepair(): boolean {
    const { repairs, wanted } = this.#message
    const now = repairs && (this.#lenient || this.announced)
    if (!now) wanted.repairs = repairs
    return now
  }

  /** Whether repairs are allowed at all. */
  get repairsEnabled(): boolean {
    return this.#message.repairs
  }

  /** It cannot be read any further. The furthest such place is remembered. */
  fail(problem: Problem, expected: string, at: number = this.#message.input.place): false {
    fail(this.#message, this.#block, { problem, expected, at })
    return false
  }

  /** The marks that end this call or begin another. */
  get guard(): Marks {
    const { closing, ending } = this.#block
    const { calls } = this.#message.grammar
    return closing === undefined ? calls : ending.join(calls)
  }

  /** The mark that ends this call, if one does. */
  get closing(): string | undefined {
    return this.#block.closing
  }

  /** The openings of calls in this one's protocol. */
  get openings(): Marks {
    const { auto, grammar, names } = this.#message
    return (auto ? grammarOf([this.#block.protocol], names) : grammar).calls
  }

  /** Whether an argument of this name may still come: the tool has it, and it has not been given yet. */
  expects(key: string): boolean {
    const { parameters } = this
    return !this.#keys?.has(key) && (!parameters || admits(parameters, key))
  }

  /** The following text may have been meant as part of this call. */
  suspect(): void {
    this.#message.suspect.value = true
  }

  /** Records a repair, and what is known about where it acted. False: there were too many already. */
  repair(...repaired: Repaired): boolean {
    return this.take(repaired[0]) && this.note(...repaired)
  }

  /** Records the name of a repair. */
  take(name: string): boolean {
    if (this.repairs.includes(name)) return true
    return this.repairs.length < MAX_REPAIRS && this.repairs.push(name) > 0
  }

  /** Records where a repair acted, if details are wanted. */
  note(...repaired: Repaired): true {
    this.#message.recorder?.note(this, repaired, this.place)
    return true
  }

  /** How far it is read. */
  get place(): number {
    return (this.inner ?? this.#message).input.place
  }

  /** Sets the name. False: this cannot be the name, so it is not a call. */
  setName(name: string): boolean {
    if (name === '') return this.fail('no-name', "a tool's name")
    const own = this.#withoutNamespace(name)
    if (own !== name) return this.repair('namespace', name, own) && this.setName(own)
    const { auto } = this.#message
    // If the whole reply is a list or an object, that is better evidence than a word before a parenthesis.
    const tool = this.tools?.get(name)
    const known = this.tools ? tool !== undefined : !auto || inBrackets(this.#block)
    if ((this.markerless || (auto && this.#block.general)) && !known) {
      return this.fail('no-name', 'the name of a known tool')
    }
    // The tool's own, because the other one may be a part of a long text, all of which it would keep.
    this.name = tool?.name ?? name
    this.#retype()
    this.#announce()
    return true
  }

  /** `get_weather.get_weather` and `functions.get_weather` mean get_weather, if that is a tool and they are not. */
  #withoutNamespace(name: string): string {
    const dot = name.lastIndexOf('.')
    if (dot < 0 || !this.tools || this.tools.has(name)) return name
    const [space, own] = [name.slice(0, dot), name.slice(dot + 1)]
    return this.tools.has(own) && (space === own || NAMESPACES.has(space)) ? own : name
  }

  /** The reply ended after the name: it is a call nevertheless. */
  announceAnyway(): void {
    if (this.#block.weak) return
    this.#patient = false
    this.#announce()
  }

  /** The arguments begin. */
  begin(): void {
    if (this.#begun) return
    this.#begun = true
    this.#announce()
  }

  #settle(last: boolean): void {
    const { waiting } = this
    this.waiting = undefined
    waiting?.(last)
  }

  /**
   * Begins an argument: its value is written next. One that the schema refuses is dropped. One that seems to be a near miss is
   * written last, once it is known whether the argument that it means is given too.
   */
  member(key: string): void {
    this.#settle(false)
    this.begin()
    this.written = this.#given = true
    if (this.#late) this.keys = this.#late.endOpen(this.keys)
    const name = this.#intended(key)
    if (name === undefined) this.repair('unknown-key', key)
    if (name !== key) this.keys = this.#lastly.open(key, name, this.place, this.keys)
    else this.#write(key)
  }

  #write(key: string): void {
    this.keys++
    const keys = (this.#keys ??= new Set())
    if (keys.has(key)) {
      this.repair('duplicate-key', key)
      this.#parsed = undefined
    }
    keys.add(key)
    this.#lastKey = key
    this.keep()
    this.write(`${this.#members++ > 0 ? ',' : '{'}${JSON.stringify(key)}:`)
  }

  /** Keeps the text of an argument that may be repeated; `write` gets all its texts once there are no more. */
  collect(key: string, text: string, write: (texts: readonly string[]) => void): void {
    if (this.#lastly.collect(key, text, write)) this.keys++
  }

  #writeLate(): void {
    if (!this.#late) return
    this.keys -= this.#late.writeCollected()
    this.keys = this.#late.endOpen(this.keys)
    const { nearMisses } = this.#late
    if (nearMisses.length === 0) return
    const written = [...(this.#keys ?? [])]
    const given = [...written, ...nearMisses.map(({ key }) => key)]
    const names = intendedKeys(this.parameters!, given).slice(written.length)
    nearMisses.forEach(({ key, json, place, keys }, i) => {
      const name = names[i]
      this.keys -= keys
      if (name === undefined) {
        this.repair('unknown-key', key, undefined, place)
        return
      }
      this.#write(name === key || this.repair('alias-key', key, name, place) ? name : key)
      this.keys += keys - 1
      this.write(json.toString())
    })
  }

  /** The argument that a key seems to mean. Undefined: the schema refuses it. */
  #intended(key: string): string | undefined {
    const argument = this.argument(key)
    return argument ? argument.name : key
  }

  /** The tool's schema for a key, if known. Cached, since the same keys recur. */
  argument(key: string): Argument | undefined {
    const { parameters, repairsEnabled } = this
    if (!parameters) return undefined
    const known = kept(this.#message.arguments, parameters, () => new Map<string, Argument>())
    return cached(known, key, () => {
      const name = repairsEnabled ? intendedKey(parameters, key) : key
      return { name, schema: propertyOf(parameters, name ?? key) }
    })
  }

  get #lastly(): Late {
    return (this.#late ??= new Late())
  }

  /** All members written so far are whole. */
  keep(): void {
    this.#whole = this.#json.length
  }

  /** Writes JSON, which is streamed once the call is announced. `value`: it is all of the last member's value, which is this one. */
  write(json: string, value?: string): void {
    if (this.#late?.take(json)) return
    const isLong = value !== undefined && !isUnsafe(this.#lastKey)
    if (isLong) {
      this.#parsed ??= { values: {}, rest: new Pieces(this.#json.toString()) }
      this.#parsed.values[this.#lastKey] = value
    }
    this.#json.add(json)
    this.#parsed?.rest.add(isLong ? '0' : json)
    if (this.announced) this.#message.output.callDelta(this.index, json)
  }

  /**
   * No more arguments follow. With `written`, something stands for them even if there are none: `{}`. With `given`, something
   * shows that there are no more: that, or the mark that closes them.
   */
  finishArguments(written = true, given: boolean = written): void {
    if (this.#finished) return
    this.begin()
    this.written ||= written
    this.#given ||= given
    this.#settle(true)
    this.#writeLate()
    this.write(this.#members > 0 ? '}' : '{}')
    this.#finished = true
    this.#retype()
  }

  /** Writes all arguments at once, with the types that the tool's schema requires. */
  writeAll(args: Record<string, unknown>): void {
    this.writeMembers(this.typed(args))
    this.finishArguments(false)
    this.keys = 0
  }

  /** Arguments of this tool, with the types that its schema requires. */
  typed(
    args: Record<string, unknown>,
    tool: string | undefined = this.name,
  ): Record<string, unknown> {
    const parameters = this.#parametersOf(tool)
    return parameters ? this.coerced(args, parameters, recordMembers(args), parameters) : args
  }

  /** A value as a schema requires it, if what had to change can be recorded: conversions as told by `record`. */
  coerced<Value>(
    value: Value,
    schema: unknown,
    record: (changed: Value) => Repaired,
    root: Schema = this.parameters!,
  ): Value {
    const changes: Parameters<NoteChange>[] = []
    const changed = coerceValue(value, schema, root, (...change) => changes.push(change)) as Value
    const recorded = changes.every(([name, key, meant]) =>
      key === undefined ? this.repair(...record(changed)) : this.repair(name, key, meant),
    )
    return recorded ? changed : value
  }

  writeMembers(args: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(args)) {
      this.member(key)
      this.write(JSON.stringify(value))
    }
  }

  /** The tool's schema for an argument, if both are known. */
  schemaOf(key: string): Schema | undefined {
    return this.argument(key)?.schema
  }

  get parameters(): Schema | undefined {
    return this.#parametersOf(this.name)
  }

  #parametersOf(tool: string | undefined): Schema | undefined {
    return this.tools?.get(tool!)?.parameters
  }

  /** Ends the call, read in full or as far as it arrived. False: it is refused, and nothing was reported. */
  end(complete: boolean, { raw, span }: Taken): boolean {
    if (complete && this.#json.length === 0) this.write('{}')
    const args = this.#parse()
    const notes = inspect(args, this.#finished ? this.keys : 0, this.parameters)
    if (!notes || !this.batch.every((other) => inspect(other.args))) return false
    if (!notes.every((note) => this.repair(note))) return false
    const call = { id: this.id!, name: this.name!, args, complete, raw, span }
    this.#report(this.index, call, !this.written)
    const { output, makeId } = this.#message
    for (const { name, args: others } of this.batch) {
      const id = makeId(output.nextIndex)
      const index = output.callStart(id, name)
      output.callDelta(index, JSON.stringify(others))
      this.#report(index, { id, name, args: others, complete, raw, span: [span[1], span[1]] })
    }
    return true
  }

  /** Parses the JSON, or as much of it as is whole. Long values that are known need not be parsed again. */
  #parse(): Record<string, unknown> {
    const known = this.#finished ? this.#parsed : undefined
    const text = (known?.rest ?? this.#json).toString()
    const whole = this.#finished || text === '' ? text : text.slice(0, this.#whole) + '}'
    const args = whole.length > 1 ? (JSON.parse(whole) as Record<string, unknown>) : {}
    return known ? Object.assign(args, known.values) : args
  }

  #report(
    index: number,
    call: Pick<Call, 'id' | 'name' | 'args' | 'complete' | 'raw' | 'span'>,
    argsMissing = false,
  ): void {
    const { output, facts, quoted, recorder } = this.#message
    const complete = call.complete && this.#isWhole(call)
    const { id, name, args, raw, span } = call
    const protocol = this.#block.protocol.id
    const { repairs } = this
    const ended: Mutable<Call> = { id, name, args, complete, raw, span, protocol, repairs }
    Object.assign(ended, facts)
    // If it was cut, arguments may have been about to come.
    if (complete && argsMissing) ended.argsMissing = true
    if (this.reasoning !== undefined) ended.reasoning = this.reasoning
    if (quoted) ended.fenced = true
    if (this.markerless) ended.markerless = true
    if (recorder) ended.details = recorder.detailsOf(this, call, this.#block)
    output.callEnd(index, ended)
  }

  /** If its end is missing, a call that lacks a required argument, or that has only a name, was cut. */
  #isWhole({ name, args }: Pick<Call, 'name' | 'args'>): boolean {
    if (!this.openEnded && !this.repairs.includes('missing-closer')) return true
    return this.#given && !lacksRequired(this.#parametersOf(name), args)
  }

  /** Types arguments that came before the name, when the schema was not known yet. */
  #retype(): void {
    const { parameters } = this
    if (this.announced || this.#retyped || !this.#finished || !parameters) return
    if (!this.repairsEnabled || this.name === undefined) return
    this.#retyped = true
    const args = JSON.parse(this.#json.toString()) as Record<string, unknown>
    const changed = this.coerced(args, parameters, recordMembers(args))
    for (const [key, value] of Object.entries(changed)) {
      if (typeof value === 'string' && refusesText(this.schemaOf(key), parameters)) {
        this.repair('mistyped', { [key]: value })
      }
    }
    if (changed === args) return
    if (inspect(args, this.keys)?.includes('duplicate-key')) this.repair('duplicate-key')
    this.#json = new Pieces()
    this.#parsed = undefined
    this.#json.add(JSON.stringify(changed))
    this.keys = 0
  }

  /** Announces the call; if a name is not enough evidence, only once its arguments begin. */
  #announce(): void {
    if (this.announced || this.name === undefined || (this.#patient && !this.#begun)) return
    const { output, makeId } = this.#message
    this.id ??= makeId(output.nextIndex)
    this.index = output.callStart(this.id, this.name)
    if (this.#json.length > 0) output.callDelta(this.index, this.#json.toString())
  }
}

function recordMembers(args: Record<string, unknown>): (changed: typeof args) => Repaired {
  return (changed) => ['coerced', args, changed]
}

const MAX_REPAIRS = 8

const NAMESPACES = new Set(['functions', 'function', 'tools', 'tool'])

/**
 * Oddities of well-formed arguments. They are only recorded; the caller may refuse the call.
 * `keys` is how many keys were written: if the value has fewer, some were written twice.
 * Undefined: one of the keys is unsafe.
 */
export function inspect(
  args: Record<string, unknown>,
  keys = 0,
  parameters?: Schema,
): string[] | undefined {
  const notes: string[] = []
  let count = 0
  let pending: object[] | undefined
  const look = (inner: unknown): void => {
    if (typeof inner === 'object' && inner !== null) (pending ??= []).push(inner)
    else if (isOutOfRange(inner) && notes.length === 0) notes.push('number-out-of-range')
  }
  for (let value: object | undefined = args; value; value = pending?.pop()) {
    if (Array.isArray(value)) value.forEach(look)
    else
      for (const key of Object.keys(value)) {
        count++
        const named = value === args && parameters
        if (isUnsafe(key) && !(named && declares(parameters, key))) return undefined
        look((value as Record<string, unknown>)[key])
      }
  }
  if (count < keys) notes.push('duplicate-key')
  return notes
}

function isOutOfRange(value: unknown): boolean {
  if (typeof value !== 'number') return false
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
}
