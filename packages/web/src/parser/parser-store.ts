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

/** The reply that this tab showed before it was loaded again, with how it was read; undefined if there was none. */
function storedReply(): SharedReply | undefined {
  const stored = readStored(REPLY_KEY, 'tab')
  return stored === undefined ? undefined : readShared(stored).reply
}

/** Stores the reply until the tab is closed; undefined removes it. One that is too long is not stored, and neither is another one. */
function storeReply(reply: SharedReply | undefined): void {
  const isStored = writeStored(REPLY_KEY, reply && writeShared(reply), 'tab')
  if (!isStored) writeStored(REPLY_KEY, undefined, 'tab')
}

const PROTOCOL_KEY = 'toolglot-drawn-protocol'

/** How long somebody must pause before it is stored, in milliseconds. */
const PAUSE = 400

let pending: { readonly source: string; readonly timer: ReturnType<typeof setTimeout> } | undefined

if (typeof addEventListener === 'function') addEventListener('pagehide', storeNow)

/** A person's choices in the Parser. */
export interface ParserState {
  readonly text: string
  /** Counts the texts that came from elsewhere than the editor. */
  readonly loaded: number
  /** The reply in the address that the text is from; undefined if it is another text. */
  readonly from: string | undefined
  /** Counts how often it became another one than the address names. */
  readonly edits: number
  /** `auto`, `drawn`, the id of a protocol, or `own:` and the id of one that only the server can run. */
  readonly protocol: string
  readonly tools: 'folder' | 'none' | 'file'
  /** Those that came with a file or a link. */
  readonly fileTools: readonly ToolDefinition[] | undefined
  readonly finish: Finish
  readonly startsInReasoning: boolean
  readonly chunk: number
  /** The protocol that was drawn here. */
  readonly drawn: string
  /** One that came with a file or a link. It never takes the place of what was drawn here, unless somebody wants that. */
  readonly fileDrawn: string | undefined
  /** The protocols that are compared; undefined until somebody chooses. */
  readonly compared: readonly string[] | undefined
  readonly onlyDifferences: boolean
  readonly notice: Notice | undefined
}

/** A problem, or something that was left out. */
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

/** The choices, which stay while other views are shown. */
export function useParserState(): ParserState {
  return store.use(itself)
}

/** The current choices. */
export const parserState: () => ParserState = store.get

/** Chooses something else. Another text is set by the functions below. */
export function changeParser(
  change: Partial<Omit<ParserState, 'text' | 'loaded' | 'edits' | 'drawn'>>,
): void {
  store.change(change)
}

/** Shows another text, which is read as the one before. */
export function showText(text: string): void {
  setText(text, { loaded: store.get().loaded + 1, from: undefined })
}

/** Shows another text, with how it is to be read. What is not said about that is as usual. `from` is what of the address it is. */
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

/** Above this many characters, it waits until nobody types for a moment. */
const LARGE = 50_000
const WAIT = 60
const MAX_WAIT = 300

/** Typed text that is not in the state yet. */
let typed: { readonly text: Text; readonly timer: ReturnType<typeof setTimeout> } | undefined

/** Takes over what is typed: a short text at once, a long one as soon as there is a pause. */
export function typeText(text: Text): void {
  clearTimeout(typed?.timer)
  const wait = text.length < LARGE ? 0 : Math.min(MAX_WAIT, WAIT + text.length / 20_000)
  typed = { text, timer: setTimeout(takeTyped, wait) }
}

/** Takes over what is typed without waiting. If its editor is `gone`, the next one gets it as a text from elsewhere. */
export function takeTyped(isGone = false): void {
  if (!typed) return
  const { loaded } = store.get()
  setText(typed.text.toString(), { loaded: isGone ? loaded + 1 : loaded, from: undefined })
}

function setText(text: string, change: Partial<ParserState>): void {
  // Text that was typed before no longer counts.
  clearTimeout(typed?.timer)
  typed = undefined
  endReplay()
  const isEdit = change.from === undefined
  const edits = store.get().edits + (isEdit ? 1 : 0)
  store.change({ notice: undefined, ...change, text, edits })
}

/** The protocol that is drawn: the one that came with the text, if there is one. */
export function drawnNow({ fileDrawn, drawn }: Pick<ParserState, 'fileDrawn' | 'drawn'>): string {
  return fileDrawn ?? drawn
}

/** Draws. What came with a text stays apart from what was drawn here before. */
export function draw(source: string): void {
  const { fileDrawn, drawn } = store.get()
  if (fileDrawn !== undefined && drawn.trim() !== '') store.change({ fileDrawn: source })
  else keepDrawing(source)
}

/** Makes a drawn protocol the one that is drawn and stored here. */
export function keepDrawing(source: string): void {
  store.change({ drawn: source, fileDrawn: undefined })
  storeDrawing(source)
}

function itself(state: ParserState): ParserState {
  return state
}

/** Keeps the text while the page is loaded again. What the address names is in the address. */
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

/** The protocol that was drawn in this browser; empty if there is none, or nothing can be stored. */
function storedDrawing(): string {
  return readStored(PROTOCOL_KEY) ?? ''
}

/** Stores the drawn protocol, as soon as nobody types for a moment. */
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
