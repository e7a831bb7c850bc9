import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { errorText } from '../../app/error-text.ts'
import { ModelTest } from './model-test.tsx'
import type { Attempts } from './models-page.tsx'
import { useModelChoice } from './use-model.ts'

/** A model that was not found, by its name or address. */
export function OtherModel({
  attempts,
  test,
}: {
  readonly attempts: Attempts
  readonly test: (reference: string) => void
}): ReactNode {
  const { t } = useWords()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [tested, setTested] = useState<string>()
  const { use, state } = useModelChoice({ isQuiet: true })
  const reference = typed.trim()
  return (
    <form
      className="form card inner"
      onSubmit={(event) => {
        event.preventDefault()
        if (reference !== '') use(reference)
      }}
    >
      <div>
        <label htmlFor={id}>{t('settings.models.other')}</label>
        <div className="rowline flex-nowrap">
          <input
            id={id}
            className={`inp ${state.error ? 'bad' : ''}`}
            value={typed}
            placeholder="http://127.0.0.1:8080/v1#model"
            spellCheck={false}
            autoComplete="off"
            aria-invalid={state.error !== null}
            aria-describedby={`${id}-help`}
            onChange={(event) => {
              setTyped(event.target.value)
              state.reset()
            }}
          />
          <button
            type="button"
            className="btn"
            disabled={reference === ''}
            onClick={() => {
              setTested(reference)
              test(reference)
            }}
          >
            {t('settings.models.test')}
          </button>
          <button type="submit" className="btn" disabled={reference === '' || state.isPending}>
            {t('settings.models.use')}
          </button>
        </div>
        <p id={`${id}-help`} className={state.error ? 'fault' : 'help'}>
          {state.error ? errorText(state.error) : t('settings.models.otherHelp')}
        </p>
      </div>
      {tested !== undefined && (
        <ModelTest key={tested} reference={tested} attempt={attempts[tested] ?? 0} />
      )}
    </form>
  )
}
