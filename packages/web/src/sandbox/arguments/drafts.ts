import { isSame, valueAt } from '../form/values.ts'
import { makeStore, type Store } from '../make-store.ts'
import { type JsonProblem, readArguments } from './json-problem.tsx'
import { readStored, writeStored } from '../../app/stored.ts'
import { isObject } from '../../schema/resolve-schema.ts'

const PREFIX = 'toolglot-sandbox-draft '

/** Arguments that are not in the address. */
interface KeptDraft {
  readonly text: string
  /** The arguments in the address at that time. If the address differs, the draft is outdated. */
  readonly given: string | undefined
  readonly isFromLink: boolean
}

/** The arguments that this tab kept across a reload. */
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

/**
 * Keeps arguments until the tab is closed; undefined removes them. Without room, they last only as
 * long as the page.
 */
export function keepDraft(key: string, draft: KeptDraft | undefined): void {
  writeStored(PREFIX + key, draft && JSON.stringify(draft), 'tab')
}

/** The arguments being edited, as a form and as JSON. */
export interface Draft {
  /** The JSON text, which may be invalid. */
  readonly text: string
  /** The arguments; the last valid ones while the JSON is invalid. */
  readonly value: Readonly<Record<string, unknown>>
  readonly problem: JsonProblem | undefined
  /** Invalid JSON in fields of the form, by place. */
  readonly pieces: ReadonlyMap<string, string>
  /** The arguments came with the address and were not changed. */
  readonly isFromLink: boolean
  /** Counts how often the arguments were replaced; the form is then rebuilt. */
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

/** JSON indented for reading. */
function writeJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** Applies a change of the JSON text. The form keeps its value while the JSON is invalid. */
export function withText(draft: Draft, text: string): Draft {
  const read = readArguments(text)
  const last = { ...draft, text, isFromLink: false, pieces: new Map<string, string>() }
  return 'value' in read
    ? { ...last, value: read.value, problem: undefined }
    : { ...last, problem: read.problem }
}

/** Applies a change of the form, which removes invalid JSON at the changed places. */
export function withValue(draft: Draft, value: Readonly<Record<string, unknown>>): Draft {
  const pieces = new Map(
    [...draft.pieces].filter(([place]) =>
      isSame(valueAt(draft.value, place), valueAt(value, place)),
    ),
  )
  return { ...draft, text: writeJson(value), value, pieces, problem: undefined, isFromLink: false }
}

/** Sets or removes invalid JSON in a field of the form. */
export function withPiece(draft: Draft, place: string, text: string | undefined): Draft {
  const pieces = new Map(draft.pieces)
  if (text === undefined) pieces.delete(place)
  else pieces.set(place, text)
  return { ...draft, pieces, isFromLink: false }
}

/** Removes invalid JSON below a place, because its values were moved. */
export function withoutPieces(draft: Draft, place: string): Draft {
  const pieces = new Map([...draft.pieces].filter(([each]) => !each.startsWith(`${place}/`)))
  return { ...draft, pieces }
}

/** Replaces the arguments by those from an address or a past run. */
export function withGiven(draft: Draft, text: string, isFromLink: boolean): Draft {
  const next = withText({ ...EMPTY, version: draft.version + 1 }, text)
  // One-line JSON is hard to read.
  return { ...next, ...(!next.problem && { text: writeJson(next.value) }), isFromLink }
}
