import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import type { Verdict } from './rules.ts'
import { Chip } from '../../ui/chip.tsx'

/** The class of a verdict in the stylesheet. */
export const VERDICT_CLASS: Readonly<Record<Verdict, 'ok' | 'ask' | 'no'>> = {
  allow: 'ok',
  ask: 'ask',
  deny: 'no',
}

/** The verdict of a rule or a decision. */
export function VerdictChip({
  verdict,
  isDecision = false,
}: {
  readonly verdict: Verdict
  readonly isDecision?: boolean
}): ReactNode {
  const { t } = useWords()
  return (
    <Chip tone={VERDICT_CLASS[verdict]}>
      {t(isDecision ? `approvals.verdict.${verdict}` : `settings.verdict.${verdict}`)}
    </Chip>
  )
}
