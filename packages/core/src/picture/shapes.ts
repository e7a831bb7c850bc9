import { unknownName } from './unknown-name.ts'
import { isHole } from './values.ts'

/**
 * Checks a value. Returns a description of the required value, or undefined if the value is valid.
 */
export type Shape = (value: unknown) => string | undefined

export const text: Shape = (value) => (typeof value === 'string' ? undefined : 'a string')
/** A non-empty string, because readers search for it. */
export const mark: Shape = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a non-empty string'
export const number: Shape = (value) => (typeof value === 'number' ? undefined : 'a number')
export const boolean: Shape = (value) =>
  typeof value === 'boolean' ? undefined : '`true` or `false`'
export const yes: Shape = (value) => (value === true ? undefined : '`true`')
export const pattern: Shape = (value) =>
  value instanceof RegExp ? undefined : 'a regular expression'

/** A picture: a list of strings and holes, with at least one hole. */
export const picture: Shape = (value) =>
  marksOnly(value) === undefined && (value as readonly unknown[]).some(isHole)
    ? undefined
    : 'a picture with a hole: wire`…${name}…`'

/** A picture that begins and ends with a mark. */
export const region: Shape = (value) =>
  picture(value) === undefined && [0, -1].every((at) => isMark((value as unknown[]).at(at)))
    ? undefined
    : 'a picture that begins and ends with a mark: wire`<a>${text}</a>`'

function isMark(part: unknown): boolean {
  return typeof part === 'string' && part.trim() !== ''
}

/** A picture that may have no holes. */
export const marksOnly: Shape = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((part) => typeof part === 'string' || isHole(part))
    ? undefined
    : 'a picture: wire`…`'

/** One of these words. */
export function oneOf(...words: readonly string[]): Shape {
  return (value) => (words.includes(value as string) ? undefined : words.map(quote).join(' or '))
}

function quote(word: string): string {
  return `'${word}'`
}

/** A value of any one of these shapes. */
export function either(...shapes: readonly Shape[]): Shape {
  return (value) => {
    const expected = shapes.map((shape) => shape(value))
    return expected.includes(undefined) ? undefined : expected.join(' or ')
  }
}

/** A list of values of one shape. */
export function list(item: Shape, what: string): Shape {
  return (value) => {
    const fits = Array.isArray(value) && value.every((each) => item(each) === undefined)
    return fits ? undefined : `a list of ${what}`
  }
}

/** A list with one value for each shape. */
export function tuple(what: string, ...items: readonly Shape[]): Shape {
  return (value) =>
    Array.isArray(value) &&
    value.length === items.length &&
    items.every((item, at) => item(value[at]) === undefined)
      ? undefined
      : what
}

/** An object with all of the `needed` members and any of the `optional` ones. */
export function members(
  needed: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  const known = { ...needed, ...optional }
  return (value) => {
    if (!isPlain(value)) return 'an object'
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(known, key))
        return `no other members: ${unknownName(key, 'one of them', Object.keys(known)).slice(0, -1)}`
    }
    for (const [key, shape] of Object.entries(known)) {
      if (!Object.hasOwn(value, key) && !Object.hasOwn(needed, key)) continue
      const expected = shape(value[key])
      if (expected !== undefined) return `\`${key}\` to be ${expected}`
    }
    return undefined
  }
}

/** True for an object literal, but not for a list or a hole. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}

export const texts: Shape = list(text, 'strings')
export const marks: Shape = list(mark, 'non-empty strings')
export const pictures: Shape = list(picture, 'pictures')
export const textOrTexts: Shape = either(text, texts)
export const regionOrRegions: Shape = either(region, list(region, 'such pictures'))
export const pictureOrPictures: Shape = either(picture, pictures)
