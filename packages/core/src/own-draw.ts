import * as draw from './draw.ts'
import type { Hole } from './hole.ts'
import type { ValueOptions } from './holes/value.ts'
import { wiresOf } from './read/grammar.ts'
import type { Part, Wire } from './wire.ts'

/**
 * `draw.ts` for custom protocols, which also rejects a picture that no reply could match. Built-in
 * protocols are tested instead, to keep programs that only parse small.
 */
export * from './draw.ts'

/**
 * Draws a picture: wire`<call>${name} ${args}</call>`. Throws a TypeError if no reply could match
 * it.
 */
export function wire(strings: TemplateStringsArray, ...holes: (Hole | string)[]): Wire {
  const picture = draw.wire(strings, ...holes)
  const problem = problemIn(picture)
  if (problem !== undefined) throw new TypeError(problem)
  return picture
}

/**
 * One argument's value as text, up to the text after the hole. Allowed only inside `each`. The
 * tool's schema determines its type.
 */
export function value(options?: ValueOptions): Hole {
  const hole = draw.value(options)
  values.set(hole, options)
  return hole
}

const values = new WeakMap<object, ValueOptions | undefined>()
const isValue = (part: Part | undefined): boolean => typeof part === 'object' && values.has(part)

/** Repeats a picture for each argument. Throws a TypeError if nothing in it ends a value. */
export function each(...given: Parameters<typeof draw.each>): Hole {
  const [of, { separator = '' } = {}] = given
  for (const picture of wiresOf(of)) {
    const at = picture.findIndex(isValue)
    if (at < 0) continue
    const isEnded = !picture.slice(at + 1).every(isBlank)
    const isFound = !isBlank(picture[0])
    if (separator === '' ? !isEnded && !isFound : !isEnded || hidesEnd(picture, separator))
      throw new TypeError(
        separator === ''
          ? 'Nothing ends a value. Draw text after it, such as a line break and a closing mark.'
          : `The separator ${JSON.stringify(separator)} doesn't end a value. Draw it after the value instead, in the picture of each argument.`,
      )
  }
  return draw.each(...given)
}

/**
 * True if the closing mark of a value is read as part of the value, because the separator after it
 * could be more of its text.
 */
function hidesEnd([first, ...rest]: Wire, separator: string): boolean {
  if (isBlank(first) || separator.trim() === '') return false
  const value = rest.find(isValue) as object
  return !values.get(value)?.bounded && !/^\s*[<,{[\\]/.test(separator)
}

/** True if a part of a picture contains no text to search for. */
const isBlank = (part: Part | undefined): boolean => typeof part !== 'string' || part.trim() === ''

function problemIn(picture: Wire): string | undefined {
  // A result is only printed, so it doesn't have to be readable.
  const isResult = picture.some((part) => typeof part === 'object' && part.isOutput)
  const hasKey = picture.includes(draw.key)
  const hasValue = picture.some(isValue)
  if (hasValue && !hasKey)
    return 'A value has no key. Draw ${key} in the same picture, or use ${args} for all arguments.'
  if ((hasValue || hasKey) && picture.includes(draw.name))
    return "A key and its value are drawn once per argument. Put them in ${each(wire`…`)}, apart from the tool's name."
  for (const [at, part] of picture.entries()) {
    const label = part === draw.name ? 'name' : part === draw.key ? 'key' : undefined
    if (label !== undefined && !isResult && !hasEnd(picture.slice(at + 1)))
      return `Nothing but white space follows a ${label}, so it has no end. Draw text after it, such as a colon.`
  }
  return undefined
}

/** True if a part after a label ends it. Text drawn around the picture does not count. */
function hasEnd(rest: Wire): boolean {
  const next = rest.find(
    (part) => part !== draw.gap && (typeof part !== 'string' || !isBlank(part)),
  )
  if (typeof next !== 'object') return next !== undefined
  return next.starts !== undefined && next.starts([], []).some((mark) => mark.trim() !== '')
}
