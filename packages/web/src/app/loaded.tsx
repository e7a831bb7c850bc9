import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { NoAnswer } from './connection.ts'
import { errorText } from './use-api.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'

/** Shows an answer, or its loading state or error. */
export function Loaded<Answer>({
  query,
  children,
}: {
  readonly query: UseQueryResult<Answer>
  readonly children: (answer: Answer) => ReactNode
}): ReactNode {
  const { t } = useWords()
  if (query.data !== undefined) return children(query.data)
  if (query.error === null) return <LoadingLines />
  return (
    <RetryBanner retry={() => void query.refetch()}>
      {query.error instanceof NoAnswer ? t('shell.unreachable') : errorText(query.error)}
    </RetryBanner>
  )
}

/** A placeholder for text that is still loading. */
export function LoadingLines({
  className = 'grid gap-3',
}: {
  readonly className?: string
}): ReactNode {
  const { t } = useWords()
  return (
    <div className={className} role="status" aria-label={t('shell.loading')}>
      <div className="skeleton w-2/3" />
      <div className="skeleton w-1/2" />
      <div className="skeleton w-3/5" />
    </div>
  )
}

/** Shows an error with a button that tries again. */
export function RetryBanner({
  retry,
  children,
}: {
  readonly retry: () => void
  readonly children: ReactNode
}): ReactNode {
  const { t } = useWords()
  return (
    <Banner
      kind="no"
      icon="hand"
      action={
        <Button small onClick={retry}>
          {t('shell.retry')}
        </Button>
      }
    >
      {children}
    </Banner>
  )
}
