import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { ask, useConnection } from './connection.ts'

/** Says that the server does not answer. What is shown stays. */
export function ConnectionBanner(): ReactNode {
  const { t } = useWords()
  const { isLost } = useConnection()
  return (
    <div role="status">
      {isLost && (
        <div className="banner">
          <span className="spin" />
          <span className="grow">{t('shell.lost')}</span>
          <button type="button" className="btn sm" onClick={() => void ask()}>
            {t('shell.retry')}
          </button>
        </div>
      )}
    </div>
  )
}
