import { type MouseEvent, type ReactNode, useId } from 'react'
import { isComposing } from '../ui/is-composing.ts'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import type { Choice } from './ask-state.ts'
import type { Guard } from './use-guard.ts'
import { Button } from '../ui/button.tsx'
import { CardActions } from './card.tsx'

/** The buttons that answer a call. */
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
  /** True if there are reasons to look twice: then no button is highlighted. */
  readonly isWeak: boolean
  /** True while an answer is being sent, and after it was recorded. */
  readonly isBusy: boolean
  readonly reason: string
  readonly onReason: (reason: string) => void
  /** The id of the panel that “always” opens. */
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
    <CardActions>
      <Button
        look={isWeak ? undefined : 'primary'}
        disabled={isBusy}
        // Not `disabled`, so that it keeps the focus.
        aria-disabled={!isReady}
        aria-describedby={hasUnseen ? hint : undefined}
        aria-keyshortcuts={isWeak ? undefined : 'Y'}
        onClick={onAllow}
      >
        {t('approvals.allow')}
        {!isWeak && <kbd aria-hidden="true">Y</kbd>}
      </Button>
      <Button
        disabled={isBusy}
        aria-expanded={isAlwaysOpen}
        aria-controls={isAlwaysOpen ? alwaysPanel : undefined}
        aria-keyshortcuts="A"
        onClick={onAlways}
      >
        {t('approvals.always')}
        <kbd aria-hidden="true">A</kbd>
      </Button>
      <Button
        className="text-no"
        disabled={isBusy}
        aria-keyshortcuts="N"
        onClick={() => onDeny(deny)}
      >
        {t('approvals.no')}
        <kbd aria-hidden="true">N</kbd>
      </Button>
      <label className="field min-w-[150px] flex-1 phone:order-5 phone:flex-[1_0_100%]">
        <span className="sr-only">{t('approvals.no.reason')}</span>
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
      <Button
        look="ghost"
        className="text-no hover:text-ink"
        disabled={isBusy}
        title={t('approvals.stop.title')}
        aria-keyshortcuts="S"
        onClick={() => onDeny({ ...deny, stop: true })}
      >
        {t('approvals.stop')}
        <kbd aria-hidden="true">S</kbd>
      </Button>
      {hasUnseen && !isBusy && (
        <p id={hint} className="flex flex-[1_0_100%] items-center gap-1.5 text-ask">
          <Icon name="down" />
          {t('approvals.unseen')}
        </p>
      )}
    </CardActions>
  )
}
