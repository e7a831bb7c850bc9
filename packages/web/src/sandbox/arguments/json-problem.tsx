import type { ReactNode } from 'react'
import { isObject } from '../../schema/resolve-schema.ts'
import { spellUnseen } from '../../ui/unseen.ts'
import { useWords } from '../../words/words.ts'

/** The problem in a JSON text, and its place. */
export function JsonProblemText({ problem }: { readonly problem: JsonProblem }): ReactNode {
  const { t } = useWords()
  const { type, line, column, found } = problem
  const shown = found === '\n' ? '⏎' : spellUnseen(found.slice(0, 60))
  return (
    <>
      {t('sandbox.json.at', { line, column })}{' '}
      {t(`sandbox.json.${type}`, type === 'syntax' || type === 'duplicate' ? { found: shown } : {})}
    </>
  )
}

/** Why a text is not a JSON object, and the place. */
export interface JsonProblem {
  readonly type: 'syntax' | 'duplicate' | 'end' | 'deep' | 'notObject'
  /** The offset of the wrong character, from 0. */
  readonly offset: number
  readonly line: number
  readonly column: number
  /** The text at that place, or the duplicate key. */
  readonly found: string
}

/** Arguments, or the problem with their JSON. */
type ReadJson = { readonly value: Record<string, unknown> } | { readonly problem: JsonProblem }

const MAX_DEPTH = 200

class Wrong extends Error {
  readonly type: JsonProblem['type']
  readonly offset: number
  readonly found: string

  constructor(type: JsonProblem['type'], offset: number, found: string) {
    super(type)
    this.type = type
    this.offset = offset
    this.found = found
  }
}

/** Parses arguments from a JSON object. Duplicate keys are an error. */
export function readArguments(text: string): ReadJson {
  if (text.trim() === '') return { value: {} }
  try {
    new Scanner(text).scan()
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return { value }
    return { problem: problemAt(text, new Wrong('notObject', text.search(/\S/), '')) }
  } catch (error) {
    const wrong = error instanceof Wrong ? error : new Wrong('syntax', 0, '')
    return { problem: problemAt(text, wrong) }
  }
}

/** Parses any JSON value, for a part of the arguments. */
export function readValue(
  text: string,
): { readonly value: unknown } | { readonly problem: JsonProblem } {
  try {
    new Scanner(text).scan()
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    const wrong = error instanceof Wrong ? error : new Wrong('syntax', 0, '')
    return { problem: problemAt(text, wrong) }
  }
}

function problemAt(text: string, { type, offset, found }: Wrong): JsonProblem {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { type, offset, line, column: offset - before.lastIndexOf('\n'), found }
}

/** Scans JSON once, and throws at the first error. */
class Scanner {
  readonly text: string
  #at = 0
  /** The keys found so far in the current object. */
  #keys: Set<string> | undefined

  constructor(text: string) {
    this.text = text
  }

  scan(): void {
    this.#value(0)
    this.#space()
    if (this.#at < this.text.length) this.#fail()
  }

  #fail(offset = this.#at): never {
    const code = this.text.codePointAt(offset)
    if (code === undefined) throw new Wrong('end', this.text.length, '')
    throw new Wrong('syntax', offset, String.fromCodePoint(code))
  }

  #space(): void {
    while (' \t\n\r'.includes(this.text[this.#at] ?? 'x')) this.#at++
  }

  #value(depth: number): void {
    this.#space()
    if (depth > MAX_DEPTH) throw new Wrong('deep', this.#at, '')
    const next = this.text[this.#at]
    if (next === '{') this.#list('}', () => this.#member(depth), new Set())
    else if (next === '[') this.#list(']', () => this.#value(depth + 1))
    else if (next === '"') this.#string()
    else this.#word()
  }

  #list(end: string, item: () => void, keys?: Set<string>): void {
    const outer = this.#keys
    this.#keys = keys
    this.#at++
    this.#space()
    if (this.text[this.#at] === end) this.#at++
    else
      for (;;) {
        item()
        this.#keys = keys
        this.#space()
        const next = this.text[this.#at]
        if (next !== ',' && next !== end) this.#fail()
        this.#at++
        if (next === end) break
      }
    this.#keys = outer
  }

  #member(depth: number): void {
    this.#space()
    const start = this.#at
    if (this.text[start] !== '"') this.#fail()
    const key = this.#string()
    if (this.#keys?.has(key)) throw new Wrong('duplicate', start, key)
    this.#keys?.add(key)
    this.#space()
    if (this.text[this.#at] !== ':') this.#fail()
    this.#at++
    this.#value(depth + 1)
  }

  #string(): string {
    const start = this.#at++
    for (;;) {
      const next = this.text[this.#at]
      if (next === undefined || next < ' ') this.#fail()
      if (next === '\\') this.#escape()
      else this.#at++
      if (next === '"') return JSON.parse(this.text.slice(start, this.#at)) as string
    }
  }

  #escape(): void {
    const next = this.text[this.#at + 1] ?? ''
    if (next === 'u') {
      for (let digit = this.#at + 2; digit < this.#at + 6; digit++)
        if (!/[\da-f]/i.test(this.text[digit] ?? '')) this.#fail(digit)
      this.#at += 6
    } else if (next !== '' && '"\\/bfnrt'.includes(next)) this.#at += 2
    else this.#fail(this.#at + 1)
  }

  /** Scans a number, true, false or null. */
  #word(): void {
    const start = this.#at
    while (/[\w.+-]/.test(this.text[this.#at] ?? '')) this.#at++
    const word = this.text.slice(start, this.#at)
    const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word)
    if (!isNumber && word !== 'true' && word !== 'false' && word !== 'null') this.#fail(start)
  }
}
