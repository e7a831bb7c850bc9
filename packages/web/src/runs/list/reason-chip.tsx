import type { ReactNode } from 'react'
import type { RunSummary } from '../../app/use-runs.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { type Key, useWords } from '../../words/words.ts'
import { Chip } from '../../ui/chip.tsx'

/** By reason. An imported run or an address may have any other. */
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

/** Why runs end, and how far others are: what they can be filtered by. */
export const REASONS: readonly string[] = [...KINDS.keys()]

/** Why a run ended, or how far it is. */
export function reasonOf({ state, reason }: Pick<RunSummary, 'state' | 'reason'>): string {
  return state === 'corrupt' ? state : (reason ?? state)
}

/** A reason in a word. One that this version does not know is shown as it is. */
export function useReasonWord(): (reason: string) => string {
  const { t } = useWords()
  return (reason) => (KINDS.has(reason) ? t(`runs.reason.${reason}` as Key) : reason)
}

/** Why a run ended, or how far it is, as a sign. */
export function ReasonChip({ reason }: { readonly reason: string }): ReactNode {
  const word = useReasonWord()
  return (
    <Chip tone={KINDS.get(reason)}>
      <VisibleText text={word(reason)} />
    </Chip>
  )
}
