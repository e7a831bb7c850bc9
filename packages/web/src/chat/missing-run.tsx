import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { StatusLine } from '../compose/status-line.tsx'

/** Shown if the run does not exist or cannot be read. */
export function MissingRun({ error }: { readonly error: Error | undefined }): ReactNode {
  const { t } = useWords()
  return (
    <div className="min-h-0 overflow-auto overscroll-contain">
      <div className="empty px-6 pt-[18vh] pb-6" role="alert">
        <b>{t(error ? 'chat.unreadable' : 'chat.missing')}</b>
        <p className="max-w-[420px] wrap-anywhere text-ink-2">
          {error ? error.message : t('chat.missing.about')}
        </p>
        <Link className="button button-primary" to="/chat">
          {t('chat.missing.new')}
        </Link>
      </div>
    </div>
  )
}

/** Warns that the conversation may be incomplete because the run can no longer be read. */
export function RunProblem({ error }: { readonly error: Error }): ReactNode {
  const { t } = useWords()
  return (
    <StatusLine tone="no" icon="hand" role="alert">
      <b>{t('chat.unreadable')}</b> <VisibleText text={error.message.slice(0, 500)} />
    </StatusLine>
  )
}
