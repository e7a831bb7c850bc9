import type { ReactNode } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { CheckedPicture } from './check-picture.ts'

/** The examples of a drawn protocol. A click reads one of them. */
export function DrawExamples({
  result,
  onTry,
}: {
  readonly result: CheckedPicture | undefined
  readonly onTry: (wire: string) => void
}): ReactNode {
  const { t } = useWords()
  if (!result || result.examples.length === 0) return null
  return (
    <section aria-label={t('draw.examples')}>
      <h3 className="label">{t('draw.examples')}</h3>
      <div className="draw-examples">
        {result.examples.map(({ title, wire }) => (
          <button
            key={title}
            type="button"
            className="btn sm"
            title={t('draw.examples.read')}
            onClick={() => onTry(wire)}
          >
            <VisibleText text={title} />
          </button>
        ))}
      </div>
    </section>
  )
}
