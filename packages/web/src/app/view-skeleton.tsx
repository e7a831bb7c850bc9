import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'

/** A sketch of a view, until it is loaded. */
export function ViewSkeleton(): ReactNode {
  const { t } = useWords()
  return (
    <main className="main" aria-busy="true" aria-label={t('shell.loading')}>
      <div className="top">
        <div className="skel w-40" />
      </div>
      <div className="pad">
        <div className="skel w-3/4" />
        <div className="skel w-1/2" />
        <div className="skel w-2/3" />
      </div>
    </main>
  )
}
