import { type ReactNode, useId } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { Explained, usePermit } from './explanation.tsx'
import { RuleField, useTypedRule } from './rule-field.tsx'
import { VerdictChip } from './verdict-chip.tsx'
import { Button } from '../../ui/button.tsx'
import { chipClass } from '../../ui/chip.tsx'

/** Previews the changes that a rule would make. */
export function TryRule({
  question,
  explained,
}: {
  readonly question: Parameters<typeof usePermit>[0]
  readonly explained: Explained
}): ReactNode {
  const { t } = useWords()
  const id = useId()
  const typed = useTypedRule(question)
  const { answer, fault, setTyped, setVerdict } = typed
  const before = explained.decision
  const after = answer?.decision
  const rules = explained.always.flatMap((each) => ('rule' in each ? [each.rule] : []))
  return (
    <div className="grid gap-2">
      <label className="label" htmlFor={id}>
        {t('settings.explain.try')}
      </label>
      {rules.length > 0 && (
        <div className="cluster">
          {[...new Set(rules)].map((each) => (
            <button
              key={each}
              type="button"
              className={chipClass({ outline: true, mono: true })}
              onClick={() => {
                setVerdict('allow')
                setTyped(each)
              }}
            >
              <VisibleText text={each} />
            </button>
          ))}
        </div>
      )}
      <div className="cluster">
        <RuleField id={id} rule={typed} placeholder="Bash(git status)" />
      </div>
      <div id={`${id}-help`} aria-live="polite" className="grid gap-2">
        {fault !== undefined && (
          <p className="fault">
            <VisibleText text={fault} />
          </p>
        )}
        {fault === undefined && after && (
          <div className="cluster">
            {after.verdict === before.verdict ? (
              <span className="text-ink-2">{t('settings.explain.same')}</span>
            ) : (
              <span className="text-ink-2">{t('settings.explain.with')}</span>
            )}
            <VerdictChip isDecision verdict={after.verdict} />
            <span className="min-w-0 flex-1" />
            <Button small disabled={typed.isSaving} onClick={() => typed.save(() => setTyped(''))}>
              {t('settings.explain.keep')}
            </Button>
          </div>
        )}
        {fault === undefined && after && <Changes before={before.parts} after={after.parts} />}
        {fault === undefined &&
          answer?.notes.map(({ message }) => (
            <p className="doubt" key={message}>
              <VisibleText text={message} />
            </p>
          ))}
      </div>
    </div>
  )
}

type Parts = Explained['decision']['parts']

/** The parts whose verdict the rule changes. */
function Changes({ before, after }: { readonly before: Parts; readonly after: Parts }): ReactNode {
  const changed = after.flatMap(({ what, verdict }) => {
    const was = before.find((part) => part.what === what)?.verdict
    return was === undefined || was === verdict ? [] : [{ what, was, verdict }]
  })
  return (
    <ul className="grid gap-1">
      {changed.slice(0, 10).map(({ what, was, verdict }) => (
        <li key={what} className="cluster">
          <VerdictChip isDecision verdict={was} />
          <span aria-hidden="true">→</span>
          <VerdictChip isDecision verdict={verdict} />
          <code className="min-w-0 wrap-anywhere">
            <VisibleText text={what} />
          </code>
        </li>
      ))}
    </ul>
  )
}
