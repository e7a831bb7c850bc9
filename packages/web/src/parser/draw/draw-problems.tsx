import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { CheckedPicture, ShownProblem } from './check-picture.ts'

/** How many are listed. */
const MAX_LISTED = 20

/** What is not understood in a drawn protocol. A click goes there. */
export function DrawProblems({
  result,
  onGoTo,
}: {
  readonly result: CheckedPicture | undefined
  readonly onGoTo: (problem: ShownProblem) => void
}): ReactNode {
  const { t } = useWords()
  if (!result) return null
  const { problems, isTaken, id = '' } = result
  const left = problems.length - MAX_LISTED
  return (
    <>
      {isTaken && (
        <p className="draw-note">
          <Icon name="hand" />
          {t('draw.taken', { id })}
        </p>
      )}
      {problems.length > 0 && (
        <section aria-label={t('draw.problems')}>
          <h3 className="label">{t('draw.problems')}</h3>
          <ul className="draw-problems">
            {problems.slice(0, MAX_LISTED).map((problem) => (
              <li key={`${problem.from} ${problem.to} ${problem.message}`}>
                <button type="button" onClick={() => onGoTo(problem)}>
                  <span
                    className="mono"
                    title={t('draw.problem.place', { line: problem.line, column: problem.column })}
                  >
                    {problem.line}:{problem.column}
                  </span>
                  <span>
                    <VisibleText text={problem.message} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {left > 0 && <p className="dim">{t('draw.problem.more', { count: left })}</p>}
        </section>
      )}
    </>
  )
}
