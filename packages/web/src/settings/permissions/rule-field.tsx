import { type KeyboardEventHandler, type ReactNode, useState } from 'react'
import { errorText } from '../../app/use-api.ts'
import { Segments } from '../../ui/segments.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { useChangeSettings } from '../use-settings.ts'
import { type Explained, usePermit, useSettled } from './explanation.tsx'
import { ownRules, type Verdict, VERDICTS } from './rules.ts'

/** A rule being typed, which the server checks. */
interface TypedRule {
  readonly verdict: Verdict
  readonly setVerdict: (verdict: Verdict) => void
  readonly typed: string
  readonly setTyped: (typed: string) => void
  readonly rule: string
  /** The server's answer about this rule; undefined until it arrives. */
  readonly answer: Explained | undefined
  readonly problem: string | undefined
  /** The problem with the rule, with the check, or with saving. */
  readonly fault: string | undefined
  readonly isSaving: boolean
  /** Clears the error from saving. */
  readonly reset: () => void
  /** Adds the rule to the user's own settings. */
  readonly save: (onSaved: () => void) => void
}

/** The state of a rule being added or tried, with the call used to check it. */
export function useTypedRule(question: Parameters<typeof usePermit>[0]): TypedRule {
  const { t } = useWords()
  const toast = useToast()
  const [verdict, setVerdict] = useState<Verdict>('allow')
  const [typed, setTyped] = useState('')
  const change = useChangeSettings()
  const rule = typed.trim()
  const settled = useSettled(rule)
  const check = usePermit({ ...question, [verdict]: [settled] }, settled !== '')
  // True if the answer is for the current text: only a checked rule is saved.
  const isChecked = rule !== '' && settled === rule && !check.isPlaceholderData
  const answer = isChecked ? check.data : undefined
  const problem = answer?.problems.find((each) => each.scope === 'cli')?.problem
  const failure = change.error ?? (isChecked ? check.error : null)
  return {
    ...{ verdict, setVerdict, typed, setTyped, rule, answer, problem },
    fault: problem ?? (failure ? errorText(failure) : undefined),
    isSaving: change.isPending,
    reset: change.reset,
    save: (onSaved) =>
      change.mutate(
        { key: `permissions.${verdict}`, value: (now) => [...ownRules(now, verdict), rule] },
        {
          onSuccess() {
            toast({ title: t('settings.rules.added'), text: rule })
            onSaved()
          },
        },
      ),
  }
}

/** The input of a rule, preceded by its verdict. Its help has the id `ID-help`. */
export function RuleField({
  id,
  rule: { verdict, setVerdict, typed, setTyped, fault, reset },
  placeholder,
  autoFocus = false,
  onKeyDown,
}: {
  readonly id: string
  readonly rule: TypedRule
  readonly placeholder: string
  readonly autoFocus?: boolean
  readonly onKeyDown?: KeyboardEventHandler
}): ReactNode {
  const { t } = useWords()
  return (
    <>
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
        className={`input min-w-40 flex-1 ${fault === undefined ? '' : 'input-invalid'}`}
        value={typed}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        autoFocus={autoFocus}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-help`}
        onChange={(event) => {
          setTyped(event.target.value)
          reset()
        }}
        onKeyDown={onKeyDown}
      />
    </>
  )
}
