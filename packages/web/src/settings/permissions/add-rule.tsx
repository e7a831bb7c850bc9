import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { Segments } from '../../ui/segments.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { errorText } from '../../app/use-api.ts'
import { useChangeSettings } from '../use-settings.ts'
import { ownRules, type Verdict, VERDICTS } from './rules.ts'
import { usePermit, useSettled } from './explanation.tsx'

/** Adds a rule to the person's own settings. It is checked before it is saved. */
export function AddRule({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const id = useId()
  const [verdict, setVerdict] = useState<Verdict>('allow')
  const [typed, setTyped] = useState('')
  const change = useChangeSettings()
  const rule = typed.trim()
  const settled = useSettled(rule)
  const check = usePermit({ tool: 'Read', [verdict]: [settled] }, settled !== '')
  const isChecked = rule !== '' && settled === rule && !check.isPlaceholderData
  const given = isChecked ? check.data : undefined
  const problem = given?.problems.find((each) => each.scope === 'cli')?.problem
  const failure = change.error ?? (isChecked ? check.error : null)
  const fault = problem ?? (failure ? errorText(failure) : undefined)
  const save = (): void => {
    if (rule === '' || problem !== undefined) return
    change.mutate(
      {
        key: `permissions.${verdict}`,
        value: (now) => [...ownRules(now, verdict), rule],
      },
      {
        onSuccess() {
          toast({ title: t('settings.rules.added'), text: rule })
          onDone()
        },
      },
    )
  }
  return (
    <form
      className="form card inner"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div>
        <label htmlFor={id}>{t('settings.rules.new')}</label>
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
            placeholder="Bash(npm run test:*)"
            spellCheck={false}
            autoComplete="off"
            autoFocus
            aria-invalid={fault !== undefined}
            aria-describedby={`${id}-help`}
            onChange={(event) => {
              setTyped(event.target.value)
              change.reset()
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.preventDefault()
              onDone()
            }}
          />
          <button
            type="submit"
            className="btn pri"
            disabled={rule === '' || problem !== undefined || change.isPending}
          >
            {t('settings.save')}
          </button>
          <button type="button" className="btn ghost" onClick={onDone}>
            {t('shell.cancel')}
          </button>
        </div>
        <div id={`${id}-help`} aria-live="polite">
          {fault !== undefined && (
            <p className="fault">
              <VisibleText text={fault} />
            </p>
          )}
          {given?.notes.map(({ message }) => (
            <p className="doubt" key={message}>
              <VisibleText text={message} />
            </p>
          ))}
          {fault === undefined && (given?.notes.length ?? 0) === 0 && (
            <p className="help">{t(`settings.rules.help.${verdict}`)}</p>
          )}
        </div>
      </div>
    </form>
  )
}
