import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import type { CheckedPicture } from './check-picture.ts'

/** How a drawn protocol stands, in a few words. */
export function DrawState({
  result,
  isChecking,
}: {
  readonly result: CheckedPicture | undefined
  readonly isChecking: boolean
}): ReactNode {
  const { t } = useWords()
  const broken = result?.laws.filter(({ failures, advice }) => failures.length > 0 && !advice) ?? []
  const problems = result?.problems.length ?? 0
  return (
    <span className="draw-state">
      {isChecking && (
        <span className="chip">
          <span className="spin" aria-hidden="true" />
          {t('draw.checking')}
        </span>
      )}
      {/* Announced once it is known, and not at every key. */}
      <span className="draw-state" role="status">
        {!isChecking && problems > 0 && (
          <span className="chip no">{t('draw.state.problems', { count: problems })}</span>
        )}
        {!isChecking && broken.length > 0 && (
          <span className="chip no">{t('draw.state.broken', { count: broken.length })}</span>
        )}
        {!isChecking && result && problems + broken.length === 0 && (
          <span className="chip ok">
            {t(result.id === undefined ? 'draw.state.none' : 'draw.state.ok')}
          </span>
        )}
      </span>
    </span>
  )
}
