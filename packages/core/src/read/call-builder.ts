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

/** The trust flags for every call that begins at this place. */
export type TrustFacts = Pick<
  Call,
  'inReasoning' | 'fenced' | 'markerless' | 'afterMalformed' | 'afterResult'
>

/** A key looked up in a tool's schema: the matching argument, and the schema of its value. */
export interface Argument {
  readonly name: string | undefined
  readonly schema: Schema | undefined
  /**
   * Cached answers: if the schema allows no string, and if parts of a list or object may need
   * conversion.
   */
  refusesText?: boolean
  insideMayChange?: boolean
}

/**
 * A call being read. Its arguments are always JSON text. It is announced as soon as its name is
 * known. Every announced call is ended; a call that was not announced leaves no events.
 */
export class CallBuilder {
  readonly #message: Message
  readonly #block: Block
  readonly #lenient: boolean
  #patient: boolean
  name: string | undefined
  id: string | undefined
  reasoning: string | undefined
  /** True if no value is open, so only closing marks can be missing. */
  closed = false
  /**
   * True if a value ended with the surrounding picture, so the rest of its own picture is missing.
   */
  unclosed = false
  /** True once the value of an argument has begun. */
  inValue = false
  /**
   * True if more of the call may have followed the end of the reply. If the reply was cut off, the
   * call is incomplete.
   */
  openEnded = false
  /** True once arguments were written, even just an empty object. */
  written = false
  /** True once an argument was read, or a sign that there are none. */
  #given = false
  readonly repairs: string[] = []
  #lastKey = ''
  /** The call's index once it is announced, otherwise -1. */
  index = -1
  #json = new Pieces()
  #begun = false
  #finished = false
  #retyped = false
  #members = 0
  #keys: Set<string> | undefined
  /** Long values that were parsed while being read, and the JSON with 0 in place of each. */
  #parsed: { readonly values: Record<string, string>; readonly rest: Pieces } | undefined
  /** The length of the JSON up to the end of the last complete member. */
  #whole = 0
  /** The number of keys written, at any depth. */
  keys = 0
  /** The name of the current argument, if each argument is drawn separately. */
  key = ''
  /**
   * True if the argument's name was written so that it has no other meaning, such as the tool's
   * name.
   */
  isLiteral = false
  /** The format of the next value, if the picture specifies it. */
  kind: Kind = 'schema'
  /** Returns the handler for a key that is not an argument, such as the key of the tool's name. */
  reserved: ((key: string) => ((text: string) => boolean) | undefined) | undefined
  /** Skips text up to this closing mark, if the picture consists of tags. */
  skipStray: ((closer: string) => Reader<boolean>) | undefined
  /** Arguments to be written last. */
  #late: Late | undefined
  /** Writes an argument that depends on what follows. `last` is true if no other argument does. */
  waiting: ((last: boolean) => void) | undefined
  /** Further calls in the same block, if the protocol allows several. */
  batch: readonly PrintableCall[] = []
  /** Set while reading the content of a string in the reply, which begins at `from`. */
  inner: { readonly input: Input; readonly from: number } | undefined

  /** With `lenient`, repairs are allowed even before the call is announced. */
  constructor(message: Message, block: Block, lenient: boolean) {
    this.#message = message
    this.#block = block
    this.#lenient = lenient
    this.#patient = isPatient(message, block)
  }

  /** Sets the id unless it is empty. An id after the arguments is too late for the announcement. */
  identify(id: string): true {
    if (id !== '') this.id = id
    return true
  }

  /** The available tools by name, or undefined if unknown. */
  get tools(): ReadonlyMap<string, ToolDefinition> | undefined {
    return this.#message.tools
  }

  /** True if the call has no marks around it. */
  get markerless(): boolean {
    return this.#block.weak && !this.#block.anchored
  }

  get announced(): boolean {
    return this.index >= 0
  }

  /** True if repairs are currently allowed. */
  get mayRepair(): boolean {
    const { repairs, wanted } = this.#message
    const now = repairs && (this.#lenient || this.announced)
    if (!now) wanted.repairs = repairs
    return now
  }

  /** True if repairs are allowed in this reply. */
  get repairsEnabled(): boolean {
    return this.#message.repairs
  }

  /** Records why reading failed at this place. Only the furthest failure is kept. */
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

  /** The mark that ends this call, if any. */
  get closing(): string | undefined {
    return this.#block.closing
  }

  /** The openings of calls in the same protocol. */
  get openings(): Marks {
    const { auto, grammar, names } = this.#message
    return (auto ? grammarOf([this.#block.protocol], names) : grammar).calls
  }

  /**
   * True if an argument of this name may still follow: the tool accepts it, and the call doesn't
   * have it yet.
   */
  expects(key: string): boolean {
    const { parameters } = this
    return !this.#keys?.has(key) && (!parameters || admits(parameters, key))
  }

  /** Notes that the following text may have been meant as part of this call. */
  suspect(): void {
    this.#message.suspect.value = true
  }

  /** Records a repair and its place. False if the call already has too many repairs. */
  repair(...repaired: Repaired): boolean {
    return this.take(repaired[0]) && this.note(...repaired)
  }

  /** Records the name of a repair. False if the call already has too many. */
  take(name: string): boolean {
    if (this.repairs.includes(name)) return true
    return this.repairs.length < MAX_REPAIRS && this.repairs.push(name) > 0
  }

  /** Records the place of a repair, if details are requested. */
  note(...repaired: Repaired): true {
    this.#message.recorder?.note(this, repaired, this.place)
    return true
  }

  /** The place up to which the call has been read. */
  get place(): number {
    return (this.inner ?? this.#message).input.place
  }

  /** Sets the name. False if this cannot be a tool's name, so it is not a call. */
  setName(name: string): boolean {
    if (name === '') return this.fail('no-name', "a tool's name")
    const own = this.#withoutNamespace(name)
    if (own !== name) return this.repair('namespace', name, own) && this.setName(own)
    const { auto } = this.#message
    // If the tools are unknown, any name is acceptable in a reply that is just a list or an object. A
    // word before a parenthesis is weaker evidence.
    const tool = this.tools?.get(name)
    const known = this.tools ? tool !== undefined : !auto || inBrackets(this.#block)
    if ((this.markerless || (auto && this.#block.general)) && !known) {
      return this.fail('no-name', 'the name of a known tool')
    }
    // Uses the tool's own string, because the string in the reply may be a slice that keeps a long
    // text in memory.
    this.name = tool?.name ?? name
    this.#retype()
    this.#announce()
    return true
  }

  /**
   * Resolves `get_weather.get_weather` and `functions.get_weather` to get_weather, if that is a
   * tool and the full name is not.
   */
  #withoutNamespace(name: string): string {
    const dot = name.lastIndexOf('.')
    if (dot < 0 || !this.tools || this.tools.has(name)) return name
    const [space, own] = [name.slice(0, dot), name.slice(dot + 1)]
    return this.tools.has(own) && (space === own || NAMESPACES.has(space)) ? own : name
  }

  /** Announces a call even though the reply ended after its name. */
  announceAnyway(): void {
    if (this.#block.weak) return
    this.#patient = false
    this.#announce()
  }

  /** Called when the arguments begin. */
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
   * Begins an argument, whose value follows. An argument that the schema forbids is dropped. A near
   * miss is written last, when it is known whether the argument that it resembles is present too.
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

  /**
   * Collects the values of an argument that may be repeated. `write` receives all of them at the
   * end.
   */
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

  /** The argument that a key probably means, or undefined if the schema forbids the key. */
  #intended(key: string): string | undefined {
    const argument = this.argument(key)
    return argument ? argument.name : key
  }

  /** The tool's argument for a key, if the schema is known. Cached, since the same keys recur. */
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

  /** Marks all members written so far as complete. */
  keep(): void {
    this.#whole = this.#json.length
  }

  /**
   * Writes JSON, which is streamed once the call is announced. `value` is set if this text is the
   * whole value of the last member.
   */
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
   * Ends the arguments. With `written`, an object was present even if it is empty: `{}`. With
   * `given`, the end of the arguments was read: that object or a closing mark.
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

  /** Writes all arguments at once, converted to the types in the tool's schema. */
  writeAll(args: Record<string, unknown>): void {
    this.writeMembers(this.typed(args))
    this.finishArguments(false)
    this.keys = 0
  }

  /** Arguments converted to the types in the schema of this tool. */
  typed(
    args: Record<string, unknown>,
    tool: string | undefined = this.name,
  ): Record<string, unknown> {
    const parameters = this.#parametersOf(tool)
    return parameters ? this.coerced(args, parameters, recordMembers(args), parameters) : args
  }

  /**
   * Converts a value to fit a schema. Returns it unchanged if the conversions cannot be recorded.
   * `record` describes a conversion.
   */
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

  /** The schema for an argument, if both the tool and the argument are known. */
  schemaOf(key: string): Schema | undefined {
    return this.argument(key)?.schema
  }

  get parameters(): Schema | undefined {
    return this.#parametersOf(this.name)
  }

  #parametersOf(tool: string | undefined): Schema | undefined {
    return this.tools?.get(tool!)?.parameters
  }

  /**
   * Ends the call, which may be incomplete. False if the call is refused; then nothing was
   * reported.
   */
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

  /**
   * Parses the JSON up to the last complete member. Long values that are already parsed are reused.
   */
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
    // If the reply was cut off, more arguments might have followed.
    if (complete && argsMissing) ended.argsMissing = true
    if (this.reasoning !== undefined) ended.reasoning = this.reasoning
    if (quoted) ended.fenced = true
    if (this.markerless) ended.markerless = true
    if (recorder) ended.details = recorder.detailsOf(this, call, this.#block)
    output.callEnd(index, ended)
  }

  /**
   * True unless the call was probably cut off: its end is missing, and it lacks a required argument
   * or has only a name.
   */
  #isWhole({ name, args }: Pick<Call, 'name' | 'args'>): boolean {
    if (!this.openEnded && !this.repairs.includes('missing-closer')) return true
    return this.#given && !lacksRequired(this.#parametersOf(name), args)
  }

  /** Converts arguments that precede the name, since their schema was unknown. */
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

  /** Announces the call. If the name is not enough evidence, this waits for the arguments. */
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
 * Lists oddities of well-formed arguments. They are only recorded; the caller may refuse the call.
 * `keys` is the number of keys written: if the value has fewer, some were duplicates. Undefined if
 * a key is unsafe.
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
