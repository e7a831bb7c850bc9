import type { CallPart } from '@toolglot/react/view'

/** What a group of calls says while it is folded. */
export interface GroupFacts {
  /** How often each tool was called, the most frequent first. */
  readonly tools: readonly (readonly [name: string, count: number])[]
  /** The names of all repairs. */
  readonly repairs: readonly string[]
  readonly repairCount: number
  /** In milliseconds, all calls together. */
  readonly duration: number
  readonly queued: number
  /** How many have ended without being run. */
  readonly notRun: number
}

const known = new WeakMap<readonly CallPart[], GroupFacts>()

/** Counts what is in a group. */
export function groupFacts(calls: readonly CallPart[]): GroupFacts {
  let facts = known.get(calls)
  if (!facts) known.set(calls, (facts = count(calls)))
  return facts
}

function count(calls: readonly CallPart[]): GroupFacts {
  const tools = new Map<string, number>()
  const repairs = new Set<string>()
  let repairCount = 0
  let duration = 0
  let queued = 0
  let notRun = 0
  for (const { name, call, outcome } of calls) {
    tools.set(name, (tools.get(name) ?? 0) + 1)
    if (call && call.repairs.length > 0) {
      for (const repair of call.repairs) repairs.add(repair)
      repairCount += call.repairs.length
    }
    duration += outcome?.duration ?? 0
    if (!outcome) queued++
    else if (outcome.status !== 'success') notRun++
  }
  const sorted = [...tools].sort((one, other) => other[1] - one[1])
  return { tools: sorted, repairs: [...repairs], repairCount, duration, queued, notRun }
}
