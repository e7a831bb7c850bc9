import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'

/** What an address shows that leads nowhere. */
export function NotFound(): ReactNode {
  const { t } = useWords()
  return (
    <main className="main">
      <header className="top">
        <h1>{t('shell.notFound')}</h1>
      </header>
      <div className="body">
        <div className="empty place-content-center p-6">
          <b>{t('shell.notFound.about')}</b>
          <Link className="btn pri" to="/chat">
            {t('shell.newChat')}
          </Link>
        </div>
      </div>
    </main>
  )
}
