import type { Hole } from '../hole.ts'
import type { PrintableCall } from '../protocol.ts'
import type { CallBuilder } from '../read/call-builder.ts'
import { meantKey } from '../read/names.ts'
import { readTextValue } from '../schema/text-value.ts'
import type { Wire } from '../wire.ts'
import { membersOf, readMembers } from './each.ts'

/** The names of the fields that are not arguments. */
export interface FieldNames {
  /** The tool's name. */
  readonly name: string
  /** The method to call, if the tool has several. */
  readonly method: string
  readonly id: string
}

/**
 * Fields that all look alike, including the tool's name, in any order. With `method1`, `method2` …,
 * one block contains several calls of a tool, each with the arguments of the same number.
 */
export function fields(
  of: readonly Wire[],
  names: FieldNames,
  options: { separator: string; avoid: readonly string[] },
): Hole {
  const members = membersOf(of, options)
  return {
    optional: true,
    starts: () => members.starts,
    *read(reading) {
      const { builder } = reading
      const block = new FieldBlock(builder, names)
      builder.reserved = (key) => block.takerOf(key)
      if (!(yield* readMembers(reading, members)) || !block.end()) return false
      builder.finishArguments(false)
      return true
    },
    print: (printing) => printing.write.fields(printing, members, names),
  }
}

class FieldBlock {
  readonly #builder: CallBuilder
  readonly #names: FieldNames
  #tool = ''
  #numbered: [key: string, text: string][] | undefined
  /** The method, if it precedes the tool's name. */
  #method: string | undefined

  constructor(builder: CallBuilder, names: FieldNames) {
    this.#builder = builder
    this.#names = names
  }

  /** The handler for the value of this field, or undefined if the field is an argument. */
  takerOf(key: string): ((text: string) => boolean) | undefined {
    const builder = this.#builder
    const { name, method, id } = this.#names
    const isField = !builder.isLiteral
    if (isField && key === name) return (text) => this.#setTool(meantKey(text.trim()))
    if (isField && key === id) return (text) => builder.identify(text.trim())
    if (isField && numberOf(key, method) !== '' && builder.keys === 0) this.#numbered ??= []
    const numbered = this.#numbered
    if (numbered) return (text) => numbered.push([key, text]) > 0
    if (isField && key === method) return (text) => this.#setMethod(text)
    this.#name()
    return undefined
  }

  end(): boolean {
    const builder = this.#builder
    if (this.#tool === '') return builder.fail('no-name', `"${this.#names.name}"`)
    if (this.#numbered) return this.#setBatch(this.#numbered)
    if (builder.name !== undefined) return true
    const joined = this.#method === undefined ? undefined : this.#joined(this.#method.trim())
    if (this.#method !== undefined && joined === undefined) this.#writeMethod(this.#method)
    // Arguments before the name can be typed now.
    builder.finishArguments(false)
    return builder.setName(joined ?? this.#tool)
  }

  #setTool(name: string): boolean {
    if (name === '') return this.#builder.fail('no-name', "a tool's name")
    this.#tool = name
    const method = this.#method
    return method === undefined || this.#setMethod(method)
  }

  /** The method may be part of a known tool's name; otherwise it is an ordinary argument. */
  #setMethod(text: string): boolean {
    const builder = this.#builder
    this.#method = text
    if (this.#tool === '' || (builder.name === undefined && builder.keys > 0)) return true
    const joined = this.#joined(text.trim())
    if (joined !== undefined) return builder.setName(joined)
    if (builder.name === undefined && !builder.setName(this.#tool)) return false
    this.#writeMethod(text)
    return true
  }

  #writeMethod(text: string): void {
    const builder = this.#builder
    const { method } = this.#names
    builder.member(method)
    const schema = builder.schemaOf(method)
    const { value } = readTextValue(text, 'schema', schema, builder.parameters, { untyped: 'text' })
    builder.write(JSON.stringify(value))
  }

  /** An unknown name is kept until its method is read, which may be part of the name. */
  #name(): void {
    const builder = this.#builder
    const { tools } = builder
    if (builder.name !== undefined || this.#tool === '' || (tools && !tools.has(this.#tool))) return
    builder.setName(this.#tool)
  }

  #joined(method: string): string | undefined {
    const { tools } = this.#builder
    return (
      tools && JOINTS.map((joint) => this.#tool + joint + method).find((name) => tools.has(name))
    )
  }

  #setBatch(numbered: readonly (readonly [string, string])[]): boolean {
    const builder = this.#builder
    const { method } = this.#names
    const numbers = numbered.map(([key]) => numberOf(key, method)).filter((number) => number !== '')
    const made = numbers.map((number): PrintableCall => {
      const own = numbered.flatMap(([key, text]) => {
        const digits = /[0-9]*$/.exec(key)![0]
        if (!numbers.includes(digits) || digits === key) return [[key, text]]
        return digits === number ? [[key.slice(0, -digits.length), text]] : []
      })
      const args: Record<string, unknown> = Object.fromEntries(own)
      const joined = this.#joined(String(args[method]).trim())
      if (joined !== undefined) delete args[method]
      const tool = joined ?? this.#tool
      return { name: tool, args: builder.typed(args, tool) }
    })
    const [first, ...rest] = made
    if (!first || !builder.setName(first.name)) return false
    builder.writeMembers(first.args)
    builder.batch = rest
    return true
  }
}

/** The separators that may join a tool's name and its method. */
const JOINTS = ['_', '.', ':', '/']

/** The number after a word: `command12` → `12`. */
export function numberOf(key: string, word: string): string {
  const number = key.startsWith(word) ? key.slice(word.length) : ''
  return /^[0-9]{1,3}$/.test(number) ? number : ''
}
