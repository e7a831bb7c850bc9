import type { ReactNode } from 'react'
import { Banner } from '../ui/banner.tsx'
import { useWords } from '../words/words.ts'

/** Why something is not there, and a way to try again. */
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
        <button type="button" className="btn sm" onClick={retry}>
          {t('shell.retry')}
        </button>
      }
    >
      {children}
    </Banner>
  )
}
