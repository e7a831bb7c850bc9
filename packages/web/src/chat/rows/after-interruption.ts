import { type CallPart, callState, type Item, type Part, type TurnItem } from '@toolglot/react/view'

const known = new WeakMap<TurnItem, TurnItem>()

/** A conversation that nobody continues by itself: what was going on in it does not go on, and how it ended is unknown. */
export function afterInterruption(items: readonly Item[]): readonly Item[] {
  const at = items.findLastIndex(({ type }) => type === 'turn')
  const turn = items[at]
  if (turn?.type !== 'turn' || !(turn.isOpen || turn.parts.some(isUnfinished))) return items
  let ended = known.get(turn)
  if (!ended) known.set(turn, (ended = { ...turn, isOpen: false, parts: turn.parts.map(endOf) }))
  return items.with(at, ended)
}

function isUnfinished(part: Part): part is CallPart {
  if (part.type !== 'call') return false
  const state = callState(part)
  return state === 'running' || state === 'writing'
}

function endOf(part: Part): Part {
  if (!isUnfinished(part)) return part
  // It took no time that anybody knows.
  const outcome = { text: '', started: null, duration: 0 } as const
  return callState(part) === 'running'
    ? { ...part, outcome: { ...outcome, status: 'unknown', mayHaveChanged: true } }
    : { ...part, outcome: { ...outcome, status: 'cut_off' } }
}
