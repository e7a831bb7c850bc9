import type { OpenTurn, Place, RunState } from './run-draft.ts'

/** What a draft consists of. */
export interface DraftParts {
  readonly state: RunState
  readonly calls: ReadonlyMap<string, Place>
  readonly asking: ReadonlySet<string>
}

/** Copies what a draft consists of. Turns are copied, because they change in place; their parts never do. */
export function copyParts({ state, calls, asking }: DraftParts): DraftParts {
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
