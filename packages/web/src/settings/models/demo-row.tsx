import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { CopyButton } from '../../ui/copy-button.tsx'

const SELECTS = 'TOOLGLOT_MODEL=script'

/** The script that answers if there is no model. */
export function DemoRow({ isUsed }: { readonly isUsed: boolean }): ReactNode {
  const { t } = useWords()
  return (
    <div className="item">
      <div className="cells">
        <i className={`dot ${isUsed ? 'ok' : ''}`} aria-hidden="true" />
        <div className="name cut font-medium">{t('settings.models.demoName')}</div>
        <div className={`about dim ${isUsed ? 'most' : 'wide'}`}>
          <span>{t('settings.models.demoAbout')}</span>
          {!isUsed && (
            <>
              <span>{t('settings.models.demoSelect')}</span>{' '}
              <code className="text-ink">{SELECTS}</code>
              <CopyButton text={SELECTS} />
            </>
          )}
        </div>
        {isUsed && (
          <div className="acts">
            <span className="chip ok">{t('settings.models.inUse')}</span>
          </div>
        )}
      </div>
    </div>
  )
}
