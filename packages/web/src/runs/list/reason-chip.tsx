import type { ReactNode } from 'react'
import type { RunSummary } from '../../app/use-runs.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { type Key, useWords } from '../../words/words.ts'
import { Chip } from '../../ui/chip.tsx'

/** The kinds of chips by reason. An imported run or an address may contain other reasons. */
const KINDS: ReadonlyMap<string, 'ok' | 'ask' | 'no' | 'call' | undefined> = new Map([
  ['answer', 'ok'],
  ['max_iterations', 'ask'],
  ['max_tool_calls', 'ask'],
  ['timeout', 'ask'],
  ['budget', 'ask'],
  ['interrupted', 'ask'],
  ['waiting', 'ask'],
  ['running', 'call'],
  ['cancelled', undefined],
  ['malformed', 'no'],
  ['loop', 'no'],
  ['denied', 'no'],
  ['model_error', 'no'],
  ['context_overflow', 'no'],
  ['storage', 'no'],
  ['corrupt', 'no'],
])

/** The end reasons and states that runs can be filtered by. */
export const REASONS: readonly string[] = [...KINDS.keys()]

/** The end reason of a run, or its state. */
export function reasonOf({ state, reason }: Pick<RunSummary, 'state' | 'reason'>): string {
  return state === 'corrupt' ? state : (reason ?? state)
}

/** Returns a function that translates a reason. Unknown ones are shown unchanged. */
export function useReasonWord(): (reason: string) => string {
  const { t } = useWords()
  return (reason) => (KINDS.has(reason) ? t(`runs.reason.${reason}` as Key) : reason)
}

/** The end reason of a run, or its state, as a chip. */
export function ReasonChip({ reason }: { readonly reason: string }): ReactNode {
  const word = useReasonWord()
  return (
    <Chip tone={KINDS.get(reason)}>
      <VisibleText text={word(reason)} />
    </Chip>
  )
}
