/** A value in a settings file and the line it stands on, counted from 1: a list of entries, so that no key is lost. */
export type Item =
  | { readonly kind: 'map'; readonly line: number; readonly entries: readonly Entry[] }
  | { readonly kind: 'list'; readonly line: number; readonly items: readonly Item[] }
  | { readonly kind: 'plain'; readonly line: number; readonly value: Plain }

export interface Entry {
  readonly key: string
  readonly line: number
  readonly item: Item
}

export type Plain = string | number | boolean | null

/** What is wrong with a text, and where. */
export interface Fault {
  readonly line: number
  readonly reason: string
}

/** What a text says, as far as it can be read. */
export interface Outline {
  readonly root?: Item
  readonly faults: readonly Fault[]
}

/** What stands there, in words for who wrote something else than was expected. */
export function describe(item: Item): string {
  if (item.kind === 'map') return 'an object'
  if (item.kind === 'list') return 'a list'
  return item.value === null ? 'nothing' : show(item.value)
}

export function show(value: string | number | boolean): string {
  return JSON.stringify(
    typeof value === 'string' && value.length > 40 ? `${value.slice(0, 40)}…` : value,
  )
}

/** Settings are two or three levels deep. */
export const DEEPEST = 64
