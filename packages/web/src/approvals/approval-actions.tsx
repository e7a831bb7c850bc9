import { type MouseEvent, type ReactNode, useId } from 'react'
import { isComposing } from '../ui/is-composing.ts'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import type { Choice } from './ask-state.ts'
import type { Guard } from './use-guard.ts'

/** The answers to a call. */
export function ApprovalActions({
  guard: { isReady, hasUnseen },
  isWeak,
  isBusy,
  reason,
  onReason,
  alwaysPanel,
  isAlwaysOpen,
  onAlways,
  onAllow,
  onDeny,
}: {
  readonly guard: Pick<Guard, 'isReady' | 'hasUnseen'>
  /** There are reasons to look twice: nothing suggests to allow it. */
  readonly isWeak: boolean
  /** An answer is on its way, or has arrived. */
  readonly isBusy: boolean
  readonly reason: string
  readonly onReason: (reason: string) => void
  /** The id of what "always" opens. */
  readonly alwaysPanel: string
  readonly isAlwaysOpen: boolean
  readonly onAlways: () => void
  readonly onAllow: (press: MouseEvent) => void
  readonly onDeny: (choice: Choice) => void
}): ReactNode {
  const { t } = useWords()
  const hint = useId()
  const deny: Choice = { type: 'deny', reason: reason.trim() }
  return (
    <div className="acts">
      <button
        type="button"
        className={`btn ${isWeak ? '' : 'pri'}`}
        disabled={isBusy}
        // It keeps the focus.
        aria-disabled={!isReady}
        aria-describedby={hasUnseen ? hint : undefined}
        aria-keyshortcuts={isWeak ? undefined : 'Y'}
        onClick={onAllow}
      >
        {t('approvals.allow')}
        {!isWeak && <kbd aria-hidden="true">Y</kbd>}
      </button>
      <button
        type="button"
        className="btn"
        disabled={isBusy}
        aria-expanded={isAlwaysOpen}
        aria-controls={isAlwaysOpen ? alwaysPanel : undefined}
        aria-keyshortcuts="A"
        onClick={onAlways}
      >
        {t('approvals.always')}
        <kbd aria-hidden="true">A</kbd>
      </button>
      <button
        type="button"
        className="btn no"
        disabled={isBusy}
        aria-keyshortcuts="N"
        onClick={() => onDeny(deny)}
      >
        {t('approvals.no')}
        <kbd aria-hidden="true">N</kbd>
      </button>
      <label className="field">
        <span className="sr">{t('approvals.no.reason')}</span>
        <input
          value={reason}
          maxLength={10_000}
          disabled={isBusy}
          placeholder={t('approvals.no.placeholder')}
          onChange={(event) => onReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.repeat || isComposing(event.nativeEvent)) return
            if (reason.trim() !== '') onDeny(deny)
          }}
        />
      </label>
      <button
        type="button"
        className="btn ghost no"
        disabled={isBusy}
        title={t('approvals.stop.title')}
        aria-keyshortcuts="S"
        onClick={() => onDeny({ ...deny, stop: true })}
      >
        {t('approvals.stop')}
        <kbd aria-hidden="true">S</kbd>
      </button>
      {hasUnseen && !isBusy && (
        <p id={hint} className="unseen">
          <Icon name="down" />
          {t('approvals.unseen')}
        </p>
      )}
    </div>
  )
}
