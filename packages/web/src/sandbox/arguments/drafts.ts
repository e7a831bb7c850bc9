import { isSame, valueAt } from '../form/values.ts'
import { makeStore, type Store } from '../make-store.ts'
import { type JsonProblem, readArguments } from './json-problem.tsx'
import { readStored, writeStored } from '../../app/stored.ts'
import { isObject } from '../../schema/resolve-schema.ts'

const PREFIX = 'toolglot-sandbox-draft '

/** Arguments that the address does not hold. */
interface KeptDraft {
  readonly text: string
  /** The arguments in the address then. Another address means other arguments. */
  readonly given: string | undefined
  readonly isFromLink: boolean
}

/** Arguments that this tab keeps while the page is loaded again. */
export function readDraft(key: string): KeptDraft | undefined {
  try {
    const value: unknown = JSON.parse(readStored(PREFIX + key, 'tab') ?? 'null')
    if (!isObject(value) || typeof value['text'] !== 'string') return undefined
    const { text, given, isFromLink } = value
    return {
      text,
      given: typeof given === 'string' ? given : undefined,
      isFromLink: isFromLink === true,
    }
  } catch {
    return undefined
  }
}

/** Keeps arguments until the tab is closed; undefined forgets them. Without room, they live as long as the page. */
export function keepDraft(key: string, draft: KeptDraft | undefined): void {
  writeStored(PREFIX + key, draft && JSON.stringify(draft), 'tab')
}

/** Arguments as far as they are written: as a form and as JSON at once. */
export interface Draft {
  /** The JSON, which may be wrong. */
  readonly text: string
  /** The arguments; the last valid ones while the JSON is wrong. */
  readonly value: Readonly<Record<string, unknown>>
  readonly problem: JsonProblem | undefined
  /** Pieces of JSON in the form that are wrong, by place. */
  readonly pieces: ReadonlyMap<string, string>
  /** They came with the address, and nobody has changed them. */
  readonly isFromLink: boolean
  /** How often they came from elsewhere: the form starts again. */
  readonly version: number
}

const EMPTY: Draft = {
  text: '{}',
  value: {},
  problem: undefined,
  pieces: new Map(),
  isFromLink: false,
  version: 0,
}

/** The arguments typed for each tool of each folder, until the page is closed. */
export const drafts: Store<Draft> = makeStore((key) => {
  const kept = readDraft(key)
  return kept ? { ...withText(EMPTY, kept.text), isFromLink: kept.isFromLink } : EMPTY
})

/** The key of a draft. */
export function draftKey(folder: string, tool: string): string {
  return JSON.stringify([folder, tool])
}

/** JSON as people read it. */
function writeJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** The JSON was changed. The form keeps what it had while the JSON is wrong. */
export function withText(draft: Draft, text: string): Draft {
  const read = readArguments(text)
  const last = { ...draft, text, isFromLink: false, pieces: new Map<string, string>() }
  return 'value' in read
    ? { ...last, value: read.value, problem: undefined }
    : { ...last, problem: read.problem }
}

/** The form was changed. Where it was, pieces that are wrong are gone. */
export function withValue(draft: Draft, value: Readonly<Record<string, unknown>>): Draft {
  const pieces = new Map(
    [...draft.pieces].filter(([place]) =>
      isSame(valueAt(draft.value, place), valueAt(value, place)),
    ),
  )
  return { ...draft, text: writeJson(value), value, pieces, problem: undefined, isFromLink: false }
}

/** A piece of JSON in the form is wrong, or no longer. */
export function withPiece(draft: Draft, place: string, text: string | undefined): Draft {
  const pieces = new Map(draft.pieces)
  if (text === undefined) pieces.delete(place)
  else pieces.set(place, text)
  return { ...draft, pieces, isFromLink: false }
}

/** The values below a place were moved, so no piece is in its place any more. */
export function withoutPieces(draft: Draft, place: string): Draft {
  const pieces = new Map([...draft.pieces].filter(([each]) => !each.startsWith(`${place}/`)))
  return { ...draft, pieces }
}

/** Arguments that came from elsewhere: from an address, or from a past run. */
export function withGiven(draft: Draft, text: string, isFromLink: boolean): Draft {
  const next = withText({ ...EMPTY, version: draft.version + 1 }, text)
  // JSON on one line is hard to read.
  return { ...next, ...(!next.problem && { text: writeJson(next.value) }), isFromLink }
}
