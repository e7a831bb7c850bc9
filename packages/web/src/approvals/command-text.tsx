import type { DecisionPart } from '@toolglot/permissions'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { VERDICT_CLASS } from '../settings/permissions/verdict-chip.tsx'
import { isLong } from '../ui/text-page.ts'
import { useWords } from '../words/words.ts'
import { segmentsOf } from './command-segments.ts'
import { LongShellText, ShellBox } from './shell-box.tsx'
import { ShellText } from './shell-text.tsx'

/** The exact text of a command, with every judged part underlined by its verdict. A long one is shown page by page, without. */
export function CommandText({
  text,
  parts,
  active,
  onActive,
}: {
  readonly text: string
  readonly parts: readonly DecisionPart[]
  /** Indexes of the parts that are pointed at. */
  readonly active: readonly number[]
  readonly onActive: (parts: readonly number[]) => void
}): ReactNode {
  const { t } = useWords()
  const segments = useMemo(
    () => (isLong(text) ? undefined : segmentsOf(text, parts)),
    [text, parts],
  )
  if (!segments) return <LongShellText text={text} label={t('approvals.command')} />
  return (
    <ShellBox label={t('approvals.command')}>
      {segments.map((segment, at) =>
        segment.verdict ? (
          <span
            key={at}
            className={`p ${VERDICT_CLASS[segment.verdict]} ${segment.parts.some((part) => active.includes(part)) ? 'on' : ''}`}
            onMouseEnter={() => onActive(segment.parts)}
            onMouseLeave={() => onActive([])}
          >
            <ShellText text={segment.text} />
          </span>
        ) : (
          <ShellText key={at} text={segment.text} />
        ),
      )}
    </ShellBox>
  )
}
