import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { Segments } from '../../ui/segments.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { errorText } from '../../app/use-api.ts'
import { useChangeSettings } from '../use-settings.ts'
import { ownRules, type Verdict, VERDICTS } from './rules.ts'
import { type Explained, usePermit, useSettled } from './explanation.tsx'
import { VerdictChip } from './verdict-chip.tsx'

/** What a rule that is not written yet would change. */
export function TryRule({
  question,
  explained,
}: {
  readonly question: Parameters<typeof usePermit>[0]
  readonly explained: Explained
}): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const id = useId()
  const [verdict, setVerdict] = useState<Verdict>('allow')
  const [typed, setTyped] = useState('')
  const rule = typed.trim()
  const settled = useSettled(rule)
  const tried = usePermit({ ...question, [verdict]: [settled] }, settled !== '')
  const change = useChangeSettings()
  // An answer is about the rule in the field, or there is none yet: what is saved is what was tried.
  const isTried = rule !== '' && settled === rule && !tried.isPlaceholderData
  const answer = isTried ? tried.data : undefined
  const problem = answer?.problems.find((each) => each.scope === 'cli')?.problem
  const before = explained.decision
  const after = answer?.decision
  const rules = explained.always.flatMap((each) => ('rule' in each ? [each.rule] : []))
  const failure = change.error ?? (isTried ? tried.error : null)
  const fault = problem ?? (failure ? errorText(failure) : undefined)
  const save = (): void =>
    change.mutate(
      { key: `permissions.${verdict}`, value: (now) => [...ownRules(now, verdict), rule] },
      {
        onSuccess() {
          toast({ title: t('settings.rules.added'), text: rule })
          setTyped('')
        },
      },
    )
  return (
    <div className="grid gap-2">
      <label className="label" htmlFor={id}>
        {t('settings.explain.try')}
      </label>
      {rules.length > 0 && (
        <div className="rowline">
          {[...new Set(rules)].map((each) => (
            <button
              key={each}
              type="button"
              className="chip mono line"
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
      <div className="rowline">
        <Segments
          label={t('settings.rules.verdict')}
          value={verdict}
          onChange={setVerdict}
          options={VERDICTS.toReversed().map((value) => ({
            value,
            label: t(`settings.verdict.${value}`),
          }))}
        />
        <input
          id={id}
          className={`inp min-w-40 flex-1 ${fault === undefined ? '' : 'bad'}`}
          value={typed}
          placeholder="Bash(git status)"
          spellCheck={false}
          autoComplete="off"
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-help`}
          onChange={(event) => {
            setTyped(event.target.value)
            change.reset()
          }}
        />
      </div>
      <div id={`${id}-help`} aria-live="polite" className="grid gap-2">
        {fault !== undefined && (
          <p className="fault">
            <VisibleText text={fault} />
          </p>
        )}
        {fault === undefined && after && (
          <div className="rowline">
            {after.verdict === before.verdict ? (
              <span className="dim">{t('settings.explain.same')}</span>
            ) : (
              <span className="dim">{t('settings.explain.with')}</span>
            )}
            <VerdictChip isDecision verdict={after.verdict} />
            <span className="grow" />
            <button type="button" className="btn sm" disabled={change.isPending} onClick={save}>
              {t('settings.explain.keep')}
            </button>
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

/** The parts that the rule decides otherwise. */
function Changes({ before, after }: { readonly before: Parts; readonly after: Parts }): ReactNode {
  const changed = after.flatMap(({ what, verdict }) => {
    const was = before.find((part) => part.what === what)?.verdict
    return was === undefined || was === verdict ? [] : [{ what, was, verdict }]
  })
  return (
    <ul className="grid gap-1">
      {changed.slice(0, 10).map(({ what, was, verdict }) => (
        <li key={what} className="rowline">
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
