import type { ReactNode } from 'react'
import { isApple } from '../app/apple.ts'
import { keyTexts } from '../app/key-text.ts'
import { Icon } from '../ui/icon.tsx'
import { spellUnseen } from '../ui/spell-unseen.ts'
import { useWords } from '../words/words.ts'
import type { Faults } from './form/faults.ts'

/** Runs the call, or says why not. */
export function RunBar({
  faults,
  isReady,
  isBusy,
  onRun,
}: {
  readonly faults: Faults
  readonly isReady: boolean
  readonly isBusy: boolean
  readonly onRun: () => void
}): ReactNode {
  const { t } = useWords()
  const missing = [...faults].flatMap(([place, { type }]) =>
    type === 'required' ? [spellUnseen(place.slice(1, 60))] : [],
  )
  const about =
    missing.length > 0
      ? t('sandbox.run.missing', { names: missing.slice(0, 5).join(', ') })
      : isReady
        ? t('sandbox.run.about')
        : t('sandbox.run.wrong')
  return (
    <div className="run-bar rowline">
      <button type="button" className="btn pri" disabled={!isReady || isBusy} onClick={onRun}>
        <Icon name="play" />
        {t('sandbox.run')}
        <kbd>{keyTexts('mod+Enter', isApple).join(isApple ? '' : ' ')}</kbd>
      </button>
      <span className="dim" role="status">
        {isBusy ? t('sandbox.run.busy') : about}
      </span>
    </div>
  )
}
