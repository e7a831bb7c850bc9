import type { Todo, Usage } from '@toolglot/agent'
import {
  type CallPart,
  type Item,
  type NoticeItem,
  type Part,
  type RunEnd,
  type RunStart,
  type RunView,
  type TurnItem,
  callState,
} from './run-view.ts'
import { createUndo, type Undo } from './undo.ts'

/** The parts of a draft. */
interface DraftParts {
  readonly state: RunState
  readonly calls: ReadonlyMap<string, Place>
  readonly asking: ReadonlySet<string>
}

/** The state of a run so far. */
export interface RunState {
  facts: RunStart | undefined
  hasStarted: boolean
  items: (Exclude<Item, TurnItem> | OpenTurn)[]
  /** The current or last turn of the model. */
  turn: OpenTurn | undefined
  turnCount: number
  /** The number of the next turn that a fork can begin with. */
  nextTurn: number
  todos: readonly Todo[]
  usage: Usage
  contextUsed: number
  turns: number
  calls: number
  end: RunEnd | undefined
  seq: number
}

/** A turn that may still change. */
export interface OpenTurn {
  readonly type: 'open-turn'
  parts: Part[]
  fields: Omit<TurnItem, 'parts'>
  /** The positions of the reply's calls in `parts`, by their index. */
  places: Map<number, number>
  /** The last view of the turn, unless it has changed since then. */
  shown: TurnItem | undefined
}

/** The position of a call. */
export interface Place {
  readonly turn: OpenTurn
  readonly at: number
}

/**
 * A mutable view in progress. It can undo changes. The views that it returns are copies of the
 * changed parts.
 */
export interface RunDraft extends Pick<Undo, 'set' | 'push'> {
  readonly state: RunState
  readonly undo: Undo
  readonly addPart: (turn: OpenTurn, part: Part) => void
  readonly setPart: (turn: OpenTurn, at: number, part: Part) => void
  readonly addText: (type: 'text' | 'reasoning', delta: string, at: number) => void
  readonly changeTurn: (turn: OpenTurn, change: Partial<TurnItem>) => void
  /** Clears a turn. */
  readonly emptyTurn: (turn: OpenTurn) => void
  readonly addCall: (turn: OpenTurn, index: number, part: CallPart) => void
  /** Gives a call its id in the run. */
  readonly moveCall: (id: string, turn: OpenTurn, at: number) => void
  readonly callAt: (id: string) => CallPart | undefined
  readonly changeCall: (id: string, change: Partial<CallPart>) => void
  readonly addNotice: (notice: NoticeItem['notice']) => void
  /** The id of the next part of a turn. */
  readonly nextId: (turn: OpenTurn) => string
  /**
   * The id of the next item. An item never changes its position, and the item that confirms a
   * preview replaces it.
   */
  readonly nextItemId: (type: Item['type']) => string
  readonly view: () => RunView
  /** An independent draft with the same content. First undoes changes that can be undone. */
  readonly copy: () => RunDraft
}

/** Creates an empty draft of a run, or a copy. */
export function createDraft(run: string, from?: DraftParts): RunDraft {
  const state: RunState = from?.state ?? {
    facts: undefined,
    hasStarted: false,
    items: [],
    turn: undefined,
    turnCount: 0,
    nextTurn: 0,
    todos: [],
    usage: { input: 0, output: 0 },
    contextUsed: 0,
    turns: 0,
    calls: 0,
    end: undefined,
    seq: -1,
  }
  /** The position of each call, by its id. */
  const calls = new Map<string, Place>(from?.calls)
  /** The calls that are waiting for a person. */
  const asking = new Set<string>(from?.asking)
  /** Undoes the previews. */
  const undo = createUndo()
  const { set, push, put } = undo

  const touch = (turn: OpenTurn): void => {
    set(turn, 'shown', undefined)
  }
  const addPart = (turn: OpenTurn, part: Part): void => {
    touch(turn)
    push(turn.parts, part)
  }
  const setPart = (turn: OpenTurn, at: number, part: Part): void => {
    // A continued run repeats its pending requests. An unchanged part is not shown twice.
    if (isSame(part, turn.parts[at])) return
    touch(turn)
    set(turn.parts, at, part)
  }
  const changeTurn = (turn: OpenTurn, change: Partial<TurnItem>): void => {
    touch(turn)
    set(turn, 'fields', { ...turn.fields, ...change })
  }
  const placeOf = (id: string): (Place & { readonly part: CallPart }) | undefined => {
    const place = calls.get(id)
    const part = place?.turn.parts[place.at]
    // The part with this id may have changed its type.
    return place && part?.type === 'call' && part.id === id ? { ...place, part } : undefined
  }
  const callAt = (id: string): CallPart | undefined => placeOf(id)?.part
  const changeCall = (id: string, change: Partial<CallPart>): void => {
    const place = placeOf(id)
    if (!place) return
    const changed = { ...place.part, ...change }
    setPart(place.turn, place.at, changed)
    undo.include(asking, id, callState(changed) === 'asking')
  }
  const nextId = (turn: OpenTurn): string => `${turn.fields.id}.${turn.parts.length}`

  function addText(type: 'text' | 'reasoning', delta: string, at: number): void {
    const { turn } = state
    if (!turn) return
    const { parts } = turn
    const last = parts.at(-1)
    if (last?.type === type) setPart(turn, parts.length - 1, { ...last, text: last.text + delta })
    else addPart(turn, { type, id: nextId(turn), text: delta, at })
  }

  function addCall(turn: OpenTurn, index: number, part: CallPart): void {
    put(turn.places, index, turn.parts.length)
    put(calls, part.id, { turn, at: turn.parts.length })
    addPart(turn, part)
  }

  const nextItemId = (type: Item['type']): string => `${type}-${state.items.length}`

  function addNotice(notice: NoticeItem['notice']): void {
    push(state.items, { type: 'notice', id: nextItemId('notice'), notice })
  }

  return {
    state,
    undo,
    set,
    push,
    addPart,
    setPart,
    addText,
    changeTurn,
    copy() {
      undo.revert()
      return createDraft(run, copyParts({ state, calls, asking }))
    },
    emptyTurn(turn) {
      if (turn.parts.length === 0) return
      set(turn, 'parts', [])
      set(turn, 'places', new Map())
      touch(turn)
    },
    addCall,
    moveCall: (id, turn, at) => put(calls, id, { turn, at }),
    callAt,
    changeCall,
    addNotice,
    nextId,
    nextItemId,
    view: () => ({
      run,
      facts: state.facts,
      state: stateOf(state, asking.size > 0),
      items: state.items.map((item) => (item.type === 'open-turn' ? show(item) : item)),
      waiting: [...asking].flatMap((id) => callAt(id) ?? []),
      todos: state.todos,
      usage: state.usage,
      contextUsed: state.contextUsed,
      turns: state.turns,
      calls: state.calls,
      end: state.end,
      seq: state.seq,
    }),
  }
}

function show(turn: OpenTurn): TurnItem {
  turn.shown ??= { ...turn.fields, parts: [...turn.parts] }
  return turn.shown
}

function stateOf({ hasStarted, end }: RunState, isAsking: boolean): RunView['state'] {
  if (end && end.reason !== 'interrupted') return 'ended'
  if (isAsking) return 'waiting'
  if (end) return 'ended'
  return hasStarted ? 'working' : 'new'
}

/**
 * Copies the contents of a draft. Turns are copied because they are mutable; their parts are not.
 */
function copyParts({ state, calls, asking }: DraftParts): DraftParts {
  const copies = new Map<OpenTurn, OpenTurn>()
  const copyOf = (turn: OpenTurn): OpenTurn => {
    let copy = copies.get(turn)
    if (!copy)
      copies.set(turn, (copy = { ...turn, parts: [...turn.parts], places: new Map(turn.places) }))
    return copy
  }
  return {
    state: {
      ...state,
      items: state.items.map((item) => (item.type === 'open-turn' ? copyOf(item) : item)),
      turn: state.turn && copyOf(state.turn),
    },
    calls: new Map([...calls].map(([id, { turn, at }]) => [id, { turn: copyOf(turn), at }])),
    asking,
  }
}

/** True if two values have the same content. Shared parts are not compared. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other))
    return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
