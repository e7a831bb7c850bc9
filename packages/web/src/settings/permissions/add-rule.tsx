import { type ReactNode, useId } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { SaveOrCancel } from '../page-frame.tsx'
import { RuleField, useTypedRule } from './rule-field.tsx'

/** Adds a rule to the user's own settings after checking it. */
export function AddRule({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useWords()
  const id = useId()
  const typed = useTypedRule({ tool: 'Read' })
  const { verdict, rule, answer, problem, fault } = typed
  return (
    <form
      className="form card px-3.5 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (rule !== '' && problem === undefined) typed.save(onDone)
      }}
    >
      <div>
        <label htmlFor={id}>{t('settings.rules.new')}</label>
        <div className="cluster">
          <RuleField
            id={id}
            rule={typed}
            placeholder="Bash(npm run test:*)"
            autoFocus
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.preventDefault()
              onDone()
            }}
          />
          <SaveOrCancel
            isDisabled={rule === '' || problem !== undefined || typed.isSaving}
            onCancel={onDone}
          />
        </div>
        <div id={`${id}-help`} aria-live="polite">
          {fault !== undefined && (
            <p className="fault">
              <VisibleText text={fault} />
            </p>
          )}
          {answer?.notes.map(({ message }) => (
            <p className="doubt" key={message}>
              <VisibleText text={message} />
            </p>
          ))}
          {fault === undefined && (answer?.notes.length ?? 0) === 0 && (
            <p className="help">{t(`settings.rules.help.${verdict}`)}</p>
          )}
        </div>
      </div>
    </form>
  )
}
