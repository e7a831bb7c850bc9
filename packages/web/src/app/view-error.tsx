import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'

/** What a view shows when it failed. The rest of the page goes on. */
export function ViewError({ error }: ErrorComponentProps): ReactNode {
  const { t } = useWords()
  const { message, stack = message } = error instanceof Error ? error : { message: String(error) }
  const details = `${location.pathname}\n${stack}`
  return (
    <main className="main">
      <header className="top">
        <h1>{t('shell.error')}</h1>
      </header>
      <div className="body scroll">
        <div className="pad justify-items-start max-w-2xl" role="alert">
          <p>{t('shell.error.about')}</p>
          <pre className="code">
            <VisibleText text={message.slice(0, 2000)} />
          </pre>
          <div className="rowline">
            <button type="button" className="btn pri" onClick={() => location.reload()}>
              {t('shell.reload')}
            </button>
            <CopyButton text={details} label={t('shell.error.copy')} className="btn" />
          </div>
        </div>
      </div>
    </main>
  )
}
