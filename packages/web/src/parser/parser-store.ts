import type { Text } from '@codemirror/state'
import type { Finish, ToolDefinition } from '@toolglot/core'
import { endReplay, valueStore } from './replay/replay-store.ts'
import {
  type SharedReply,
  type ShareProblem,
  readShared,
  writeShared,
} from './share/shared-reply.ts'
import { readStored, writeStored } from '../app/stored.ts'

const REPLY_KEY = 'toolglot-parser-reply'

/** The reply and its options that this tab showed before a reload; undefined if there was none. */
function storedReply(): SharedReply | undefined {
  const stored = readStored(REPLY_KEY, 'tab')
  return stored === undefined ? undefined : readShared(stored).reply
}

/**
 * Stores the reply until the tab is closed; undefined removes it. A reply that is too long removes
 * the stored one and is not stored.
 */
function storeReply(reply: SharedReply | undefined): void {
  const isStored = writeStored(REPLY_KEY, reply && writeShared(reply), 'tab')
  if (!isStored) writeStored(REPLY_KEY, undefined, 'tab')
}

const PROTOCOL_KEY = 'toolglot-drawn-protocol'

/** The pause in typing before the text is stored, in milliseconds. */
const PAUSE = 400

let pending: { readonly source: string; readonly timer: ReturnType<typeof setTimeout> } | undefined

if (typeof addEventListener === 'function') addEventListener('pagehide', storeNow)

/** The user's choices in the Parser. */
export interface ParserState {
  readonly text: string
  /** Counts the texts that were not typed into the editor. */
  readonly loaded: number
  /** The address's fragment that contained the text; undefined for any other text. */
  readonly from: string | undefined
  /** Counts how often the text was changed from the one in the address. */
  readonly edits: number
  /**
   * `auto`, `drawn`, the id of a protocol, or `own:` and the id of a protocol that only the server
   * can run.
   */
  readonly protocol: string
  readonly tools: 'folder' | 'none' | 'file'
  /** The tools from a file or link. */
  readonly fileTools: readonly ToolDefinition[] | undefined
  readonly finish: Finish
  readonly startsInReasoning: boolean
  readonly chunk: number
  /** The protocol drawn in this browser. */
  readonly drawn: string
  /**
   * A drawn protocol from a file or link. It replaces the protocol drawn here only if the user asks
   * for it.
   */
  readonly fileDrawn: string | undefined
  /** The protocols to compare; undefined until the user chooses. */
  readonly compared: readonly string[] | undefined
  readonly onlyDifferences: boolean
  readonly notice: Notice | undefined
}

/** A problem, or an omission. */
export type Notice =
  | ShareProblem
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'no-protocol'; readonly protocol: string }

const store = valueStore<ParserState>({
  text: '',
  loaded: 0,
  from: undefined,
  edits: 0,
  protocol: 'auto',
  tools: 'folder',
  fileTools: undefined,
  finish: 'stop',
  startsInReasoning: false,
  chunk: 6,
  drawn: storedDrawing(),
  fileDrawn: undefined,
  compared: undefined,
  onlyDifferences: false,
  notice: undefined,
})

/** The choices, which persist while other views are shown. */
export function useParserState(): ParserState {
  return store.use(itself)
}

/** The current choices. */
export const parserState: () => ParserState = store.get

/** Changes choices. Use the functions below to set the text. */
export function changeParser(
  change: Partial<Omit<ParserState, 'text' | 'loaded' | 'edits' | 'drawn'>>,
): void {
  store.change(change)
}

/** Shows another text with the same options. */
export function showText(text: string): void {
  setText(text, { loaded: store.get().loaded + 1, from: undefined })
}

/**
 * Shows another text with its options; missing ones get their defaults. `from` is the address's
 * fragment that contains it.
 */
export function loadReply(reply: SharedReply, notice?: Notice, from?: string): void {
  const { tools, loaded } = store.get()
  setText(reply.text, {
    loaded: loaded + 1,
    from,
    protocol: reply.protocol ?? 'auto',
    finish: reply.finish ?? 'stop',
    startsInReasoning: reply.startsInReasoning ?? false,
    fileTools: reply.tools,
    tools: reply.tools ? 'file' : tools === 'file' ? 'folder' : tools,
    fileDrawn: reply.drawn,
    compared: undefined,
    notice,
  })
}

/** Longer texts are taken over only after typing pauses. */
const LARGE = 50_000
const WAIT = 60
const MAX_WAIT = 300

/** Typed text that the state does not contain yet. */
let typed: { readonly text: Text; readonly timer: ReturnType<typeof setTimeout> } | undefined

/** Takes over typed text: a short text at once, a long one after a pause. */
export function typeText(text: Text): void {
  clearTimeout(typed?.timer)
  const wait = text.length < LARGE ? 0 : Math.min(MAX_WAIT, WAIT + text.length / 20_000)
  typed = { text, timer: setTimeout(takeTyped, wait) }
}

/**
 * Takes over typed text at once. If its editor `isGone`, the text counts as loaded, so the next
 * editor shows it.
 */
export function takeTyped(isGone = false): void {
  if (!typed) return
  const { loaded } = store.get()
  setText(typed.text.toString(), { loaded: isGone ? loaded + 1 : loaded, from: undefined })
}

function setText(text: string, change: Partial<ParserState>): void {
  // Earlier typed text no longer counts.
  clearTimeout(typed?.timer)
  typed = undefined
  endReplay()
  const isEdit = change.from === undefined
  const edits = store.get().edits + (isEdit ? 1 : 0)
  store.change({ notice: undefined, ...change, text, edits })
}

/** The protocol in the editor: the one that came with the text, if any. */
export function drawnNow({ fileDrawn, drawn }: Pick<ParserState, 'fileDrawn' | 'drawn'>): string {
  return fileDrawn ?? drawn
}

/**
 * Updates the drawn protocol. A drawing that came with a text stays separate from the one drawn
 * here.
 */
export function draw(source: string): void {
  const { fileDrawn, drawn } = store.get()
  if (fileDrawn !== undefined && drawn.trim() !== '') store.change({ fileDrawn: source })
  else keepDrawing(source)
}

/** Makes a drawing the user's own and stores it. */
export function keepDrawing(source: string): void {
  store.change({ drawn: source, fileDrawn: undefined })
  storeDrawing(source)
}

function itself(state: ParserState): ParserState {
  return state
}

/** Keeps the text across a reload, unless the address contains it. */
function keepReply(): void {
  takeTyped()
  const { text, from, protocol, finish, startsInReasoning, ...state } = store.get()
  const isKept = text !== '' && from === undefined
  storeReply(
    isKept
      ? {
          ...{ text, protocol, finish, startsInReasoning },
          ...(state.tools === 'file' && state.fileTools && { tools: state.fileTools }),
          ...(state.fileDrawn !== undefined && { drawn: state.fileDrawn }),
        }
      : undefined,
  )
}

const kept = storedReply()
if (kept) loadReply(kept)
if (typeof addEventListener === 'function') addEventListener('pagehide', keepReply)

/** The protocol drawn in this browser; empty if there is none or storage is unavailable. */
function storedDrawing(): string {
  return readStored(PROTOCOL_KEY) ?? ''
}

/** Stores the drawn protocol after typing pauses. */
function storeDrawing(source: string): void {
  clearTimeout(pending?.timer)
  pending = { source, timer: setTimeout(storeNow, PAUSE) }
}

function storeNow(): void {
  if (!pending) return
  const { source, timer } = pending
  clearTimeout(timer)
  pending = undefined
  writeStored(PROTOCOL_KEY, source)
}
