import { useState } from 'react'
import type { ReactNode } from 'react'
import { CommandText } from '../../approvals/command-text.tsx'
import { PartsTable } from '../../approvals/parts-table.tsx'
import { reasonSentence } from '../../approvals/reasons.ts'
import { RunsAs } from '../../approvals/runs-as.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { Explained } from './use-permit.ts'
import { VERDICT_CLASS } from './verdict-chip.tsx'

const ICONS = { allow: 'check', ask: 'hand', deny: 'slash' } as const

/** Whether a call may run, with every judged part. */
export function Explanation({
  explained: { decision },
  text,
}: {
  readonly explained: Explained
  /** What was typed, if parts can be found in it. */
  readonly text: string | undefined
}): ReactNode {
  const [active, setActive] = useState<readonly number[]>([])
  const { parts } = decision
  return (
    <>
      <VerdictLine decision={decision} />
      {text !== undefined && text !== '' && (
        <CommandText {...{ text, parts, active }} onActive={setActive} />
      )}
      <PartsTable parts={parts} whole={text} active={active} onActive={setActive} />
      <RunsAs decision={decision} />
    </>
  )
}

/** What was decided about a call, and why, in a line. */
export function VerdictLine({
  decision: { verdict, what, why, parts },
}: Pick<Explained, 'decision'>): ReactNode {
  const { t } = useWords()
  return (
    <div className={`verdict ${VERDICT_CLASS[verdict]}`} role="status">
      <Icon name={ICONS[verdict]} />
      <span className="min-w-0 wrap-anywhere">
        <b>{t(`approvals.verdict.${verdict}`)}</b>
        {parts.length > 1 && (
          <>
            {' · '}
            <code>
              <VisibleText text={what} />
            </code>
          </>
        )}
        {': '}
        <VisibleText text={reasonSentence(why, t)} />
      </span>
    </div>
  )
}
