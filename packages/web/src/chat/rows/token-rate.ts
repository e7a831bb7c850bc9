import type { TurnItem } from '@toolglot/react/view'

/** A shorter reply says nothing about speed. */
const MIN_TIME = 100

/** How many tokens a second the model wrote in a turn, if that can be said. */
export function tokenRate({
  usage,
  duration,
  firstToken = 0,
}: Pick<TurnItem, 'usage' | 'duration' | 'firstToken'>): number | undefined {
  if (!usage || duration === undefined || duration - firstToken < MIN_TIME) return undefined
  return usage.output / ((duration - firstToken) / 1000)
}
