import type { DecisionPart, Rule } from '@toolglot/permissions'
import { useMemo, useState, type ReactNode } from 'react'
import { VerdictChip } from '../settings/permissions/verdict-chip.tsx'
import { endOfPage } from '../ui/diff-page.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { addsText, ROWS, rowsOf, reasonSentence } from './reasons.ts'
import { LongShellText, ShellText } from './shell-text.tsx'
import { Button } from '../ui/button.tsx'

/** All judged parts of a call, with the verdict and its rule or reason. */
export function PartsTable({
  parts,
  whole,
  active,
  onActive,
}: {
  readonly parts: readonly DecisionPart[]
  /** The whole command, which is not repeated. */
  readonly whole: string | undefined
  readonly active: readonly number[]
  readonly onActive: (parts: readonly number[]) => void
}): ReactNode {
  const { t } = useWords()
  const [shown, setShown] = useState(ROWS)
  const rows = useMemo(() => rowsOf(parts), [parts])
  const left = rows.length - shown
  return (
    <>
      <table>
        <caption className="sr-only">{t('approvals.parts')}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{t('approvals.parts.verdict')}</th>
            <th scope="col">{t('approvals.parts.part')}</th>
            <th scope="col">{t('approvals.parts.why')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map(({ part, places }) => (
            <tr
              key={places[0]}
              className="group phone:grid phone:grid-cols-[56px_minmax(0,1fr)] phone:in-data-call:grid-cols-[max-content_minmax(0,1fr)]"
              data-active={places.some((at) => active.includes(at)) || undefined}
              onMouseEnter={() => onActive(places)}
              onMouseLeave={() => onActive([])}
            >
              <td className={`${CELL} w-px pr-2 phone:w-auto`}>
                <VerdictChip verdict={part.verdict} isDecision />
              </td>
              <td
                className={`${CELL} w-[38%] pr-2 font-code text-12 wrap-anywhere phone:w-auto phone:pr-0`}
              >
                {part.what === whole && !part.subject ? (
                  <span className="text-ink-2">{t('approvals.parts.whole')}</span>
                ) : (
                  <PartText part={part} whole={whole} />
                )}
              </td>
              <td
                className={`${CELL} pr-0 text-ink-2 phone:col-start-2 phone:border-t-0 phone:pt-0`}
              >
                <PartReason part={part} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <Button small className="justify-self-start" onClick={() => setShown(shown + ROWS)}>
          {t('approvals.parts.more', { count: Math.min(left, ROWS) })}
        </Button>
      )}
    </>
  )
}

const CELL =
  'border-t border-line py-[5px] pl-0 align-top group-first:border-t-0 group-data-active:bg-ask-bg'

/** The text of a part. It is truncated only if the command above contains all of it. */
function PartText({
  part,
  whole,
}: {
  readonly part: DecisionPart
  readonly whole: string | undefined
}): ReactNode {
  const { t } = useWords()
  const { what } = part
  const end = endOfPage(what, 0, { lines: 20, characters: 600, unseen: 10 })
  if (end === what.length) return <ShellText text={what} />
  if (addsText(part, whole))
    return <LongShellText text={what} label={t('approvals.parts.part')} height="max-h-[40vh]" />
  return <ShellText text={`${what.slice(0, end)}…`} />
}

/** The rule that decided a part and its location, or the reason. */
export function PartReason({ part: { rule, why } }: { readonly part: DecisionPart }): ReactNode {
  const { t } = useWords()
  if (!rule) return <VisibleText text={reasonSentence(why, t)} />
  return (
    <>
      <code>
        <VisibleText text={rule.text} />
      </code>
      {' · '}
      <RulePlace rule={rule} />
      {addsToRule(why) && (
        <div>
          <VisibleText text={reasonSentence(why, t)} />
        </div>
      )}
    </>
  )
}

function RulePlace({ rule: { source } }: { readonly rule: Rule }): ReactNode {
  const { t } = useWords()
  const { file, line, scope } = source
  const where = t(`approvals.scope.${scope}`)
  if (file === undefined) return where
  const name = `${/[^/\\]*[/\\]?[^/\\]*$/.exec(file)?.[0] ?? file}${line === undefined ? '' : `:${line}`}`
  return (
    <span title={file}>
      <VisibleText text={name} /> <span className="text-ink-3">({where})</span>
    </span>
  )
}

/** True if a reason adds information to the rule, which is shown anyway. */
export function addsToRule(why: string): boolean {
  return !/^the rule .* (?:allows it|requires approval|denies it)$/s.test(why)
}
