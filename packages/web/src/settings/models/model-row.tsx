import type { ReactNode } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { ModelTest } from './model-test.tsx'
import { useModelChoice } from './use-model.ts'

/** A model that can be tested and used. */
export function ModelRow({
  reference,
  name,
  about,
  context,
  isUsed,
  attempt,
  test,
  extra,
}: {
  readonly reference: string
  readonly name?: ReactNode
  readonly about: ReactNode
  readonly context?: ReactNode
  readonly isUsed: boolean
  /** How often a test was asked for. */
  readonly attempt: number
  readonly test: (reference: string) => void
  readonly extra?: ReactNode
}): ReactNode {
  const { t } = useWords()
  const { use, state } = useModelChoice()
  return (
    <div className="item">
      <div className="cells">
        <i className={`dot ${isUsed ? 'ok' : ''}`} aria-hidden="true" />
        <div className="name cut">
          {name ?? (
            <code title={reference} className={isUsed ? 'font-semibold' : ''}>
              <VisibleText text={reference} />
            </code>
          )}
        </div>
        <div className="about dim">{about}</div>
        <div className="fact num dim">{context}</div>
        <div className="acts">
          {isUsed && <span className="chip ok">{t('settings.models.inUse')}</span>}
          <button
            type="button"
            className="btn sm"
            aria-label={t('settings.models.testOf', { model: reference })}
            onClick={() => test(reference)}
          >
            {t('settings.models.test')}
          </button>
          {!isUsed && (
            <button
              type="button"
              className="btn sm"
              disabled={state.isPending}
              aria-label={t('settings.models.useOf', { model: reference })}
              onClick={() => use(reference)}
            >
              {t('settings.models.use')}
            </button>
          )}
          {extra}
        </div>
      </div>
      {attempt > 0 && <ModelTest {...{ reference, attempt }} />}
    </div>
  )
}
