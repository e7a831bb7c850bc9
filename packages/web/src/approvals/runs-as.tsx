import type { Decision } from '@toolglot/permissions'
import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { reasonSentence } from './reasons.ts'
import { LongShellText } from './shell-box.tsx'

/** The shell text to run, folded up; or a notice that the command runs as written. */
export function RunsAs({
  decision: { runs, unprinted },
}: {
  readonly decision: Pick<Decision, 'runs' | 'unprinted'>
}): ReactNode {
  const { t } = useWords()
  if (unprinted !== undefined)
    return (
      <p className="dim">
        {t('approvals.unprinted')} <VisibleText text={reasonSentence(unprinted, t)} />
      </p>
    )
  if (runs === undefined) return null
  const label = t('approvals.runsAs')
  return (
    <details className="runsas">
      <summary className="label">{label}</summary>
      <LongShellText text={runs} label={label} />
    </details>
  )
}
