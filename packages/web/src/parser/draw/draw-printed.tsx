import type { ReactNode } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { CheckedPicture, Printed } from './check-picture.ts'

/** What a drawn protocol prints: a call, a result, its prompt. */
export function DrawPrinted({
  result,
}: {
  readonly result: CheckedPicture | undefined
}): ReactNode {
  const { t } = useWords()
  if (!result?.call) return null
  return (
    <section aria-label={t('draw.printed')}>
      <h3 className="label">{t('draw.printed')}</h3>
      <dl className="draw-printed">
        {(['call', 'result', 'prompt'] as const).map((part) => (
          <div key={part}>
            <dt>{t(`draw.printed.${part}`)}</dt>
            <dd>
              <PrintedText {...{ printed: result[part] }} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function PrintedText({ printed }: { readonly printed: Printed | undefined }): ReactNode {
  if (!printed) return null
  return 'text' in printed ? (
    <pre className="code" tabIndex={0}>
      <VisibleText text={printed.text} />
    </pre>
  ) : (
    <p className="draw-error">
      <VisibleText text={printed.error} />
    </p>
  )
}
