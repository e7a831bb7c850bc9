import type { Repaired } from '../read/recorder.ts'
import { isSchema } from '../schema/resolve.ts'

/** What is known about where a repair acted. Its reader stood at `to`, or what it repaired ends there. */
export type Note = { readonly name: string; readonly to: number } & Place

type Place =
  /** It was noticed here. */
  | { readonly kind: 'here' }
  /** This part of the text became another. */
  | { readonly kind: 'part'; readonly from: number; readonly became: string | undefined }
  /** This part could not be repaired after all: the call ends in it. */
  | { readonly kind: 'failed'; readonly from: number }
  /** It acted anywhere in this part. */
  | { readonly kind: 'within'; readonly from: number }
  /** A value was made of the one that begins here. `open`: it ends where its JSON ends. */
  | {
      readonly kind: 'value'
      readonly from: number
      readonly made: unknown
      readonly open: boolean
    }
  /** A key, a name or a word before here became another. */
  | { readonly kind: 'text'; readonly text: string; readonly became: string | undefined }
  /** Arguments that were read between these places became others. */
  | {
      readonly kind: 'members'
      readonly from: number
      readonly before: Readonly<Record<string, unknown>>
      readonly after: Readonly<Record<string, unknown>> | undefined
    }

/** What a reader said about a repair when it had read up to `place`. */
export function noteOf([name, from, became, end]: Repaired, place: number): Note {
  const to = end === undefined || end === -1 ? place : end
  const text = typeof became === 'string' ? became : undefined
  if (typeof from === 'string') return { name, to, kind: 'text', text: from, became: text }
  if (typeof from === 'object')
    return {
      name,
      to,
      kind: 'members',
      from: -Infinity,
      before: from,
      after: isSchema(became) ? became : undefined,
    }
  if (from === undefined) return { name, to, kind: 'here' }
  if (name === 'coerced' || name === 'mistyped')
    return { name, to, kind: 'value', from, made: became, open: end === -1 }
  if (became === false) return { name, to, kind: 'failed', from }
  if (became === true) return { name, to, kind: 'within', from }
  return { name, to, kind: 'part', from, became: text }
}

/** The same, with places in a text that begins at `start`. */
export function moved(note: Note, start: number): Note {
  const to = note.to - start
  return 'from' in note ? { ...note, to, from: note.from - start } : { ...note, to }
}
