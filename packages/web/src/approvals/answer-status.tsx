import { ApiError } from '@toolglot/server/client'
import type { MouseEvent, ReactNode } from 'react'
import { useConnection } from '../app/connection.ts'
import { Banner } from '../ui/banner.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { Choice, Sent } from './ask-state.ts'

/** How far an answer has come, and what to do if it did not arrive. */
export function AnswerStatus({
  sent,
  onRetry,
}: {
  readonly sent: Sent
  readonly onRetry: (choice: Choice, press: MouseEvent) => void
}): ReactNode {
  const { t } = useWords()
  const { status, choice, error } = sent
  if (status === 'sending' || status === 'recorded') {
    return (
      <p className="rowline dim" role="status">
        {status === 'sending' && <i className="spin" />}
        {t(`approvals.${status}`)}
      </p>
    )
  }
  if (status === 'late') return <Banner icon="clock">{t('approvals.late')}</Banner>
  return (
    <Banner
      kind="no"
      icon="hand"
      action={
        <button type="button" className="btn sm" onClick={(press) => onRetry(choice, press)}>
          {t(`approvals.retry.${choice.type}`)}
        </button>
      }
    >
      <FailureText choice={choice} error={error} />
    </Banner>
  )
}

function FailureText({
  choice,
  error,
}: {
  readonly choice: Choice
  readonly error: unknown
}): ReactNode {
  const { t } = useWords()
  const { isLost } = useConnection()
  if (!(error instanceof ApiError) || error.status >= 500)
    return t(isLost ? 'approvals.failed.lost' : 'approvals.failed.back')
  const isAboutFolder = choice.type === 'allow' && choice.always === 'folder'
  if (isAboutFolder && error.detail.includes('not trusted')) return t('approvals.failed.untrusted')
  return (
    <>
      {t('approvals.failed')} <VisibleText text={error.message} />
    </>
  )
}
