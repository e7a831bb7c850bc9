import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'

/** There is no run at this address, or it cannot be read. */
export function MissingRun({ error }: { readonly error: Error | undefined }): ReactNode {
  const { t } = useWords()
  return (
    <div className="scroll">
      <div className="empty missing" role="alert">
        <b>{t(error ? 'chat.unreadable' : 'chat.missing')}</b>
        <p className="dim">{error ? error.message : t('chat.missing.about')}</p>
        <Link className="btn pri" to="/chat">
          {t('chat.missing.new')}
        </Link>
      </div>
    </div>
  )
}

/** The conversation may be incomplete: the run can no longer be read. */
export function RunProblem({ error }: { readonly error: Error }): ReactNode {
  const { t } = useWords()
  return (
    <div className="runstatus no" role="alert">
      <Icon name="hand" />
      <div className="grow">
        <b>{t('chat.unreadable')}</b> <VisibleText text={error.message.slice(0, 500)} />
      </div>
    </div>
  )
}
