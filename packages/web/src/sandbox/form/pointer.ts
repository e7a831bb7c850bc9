import { isObject } from '../../schema/is-object.ts'

/** Where a value is: names in objects, numbers in lists. */
export type Path = readonly (string | number)[]

/** A place as a text: a JSON Pointer. */
export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** What a value has at a place; undefined if there is nothing. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if ((!isObject(found) && !Array.isArray(found)) || !Object.hasOwn(found, name)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}
