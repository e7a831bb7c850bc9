import type { Fields } from './expect.ts'

/**
 * What becomes of a parameter. `pass`: the model gets it. `emulate`: the gateway does what it says. `ignore`: it changes nothing
 * that a client could miss. `drop`: it is left out, and the response says so. `refuse`: the request fails, because it would be
 * answered wrongly without it.
 */
export type Treatment = 'pass' | 'emulate' | 'ignore' | 'drop' | 'refuse'

/** One parameter of an API, and how it is read. */
export interface Parameter<Draft> {
  readonly name: string
  readonly treatment: Treatment
  /** For people: what is done, or what to do instead. */
  readonly note?: string
  /** Adds it to the request. Not called for null, which means that the parameter is not there. */
  readonly read?: (value: unknown, draft: Draft, body: Fields) => void
}

/** Reads every parameter of a body. Unknown ones are left out, and noted. */
export function readParameters<Draft extends { readonly notes: string[] }>(
  body: Fields,
  parameters: readonly Parameter<Draft>[],
  draft: Draft,
): void {
  for (const { name, treatment, read } of parameters) {
    const value = Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined
    if (value === undefined) continue
    read?.(value, draft, body)
    if (treatment === 'drop' && !isOff(value)) draft.notes.push(droppedNote(name))
  }
  const unknown = Object.keys(body).filter((key) => parameters.every(({ name }) => name !== key))
  for (const key of unknown.slice(0, MAX_NOTES)) draft.notes.push(droppedNote(key))
}

/** The note for something that is left out. Its name may be the client's, and notes become a header. */
export function droppedNote(name: string): string {
  return `dropped:${/^[\w.-]{1,40}$/.test(name) ? name : 'unknown'}`
}

/** Whether a parameter only says that something is not wanted. */
function isOff(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0)
}

const MAX_NOTES = 20
