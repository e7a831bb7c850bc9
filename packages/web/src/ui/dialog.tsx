import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'

/** A window over the page, for what needs all attention. */
export function Dialog({
  open,
  onOpenChange,
  title,
  children,
  className = '',
  hasTitle = true,
  onClosed,
}: {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly children: ReactNode
  readonly className?: string
  /** Whether everybody sees the title, or only screen readers say it. */
  readonly hasTitle?: boolean
  /** Called after it has closed and the focus is back where it was. */
  readonly onClosed?: () => void
}): ReactNode {
  const { t } = useWords()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="veil" />
        <Radix.Content
          className={`dialog ${className}`}
          aria-describedby={undefined}
          // The focus goes back right after this.
          onCloseAutoFocus={() => onClosed && queueMicrotask(onClosed)}
        >
          <Radix.Title className={hasTitle ? 'dialog-title' : 'sr'}>{title}</Radix.Title>
          {children}
          {/* Last, so that the focus first goes to what the window is about. */}
          <Radix.Close
            className="icon-btn sm dialog-close"
            aria-label={t('shell.close')}
            title={t('shell.close')}
          >
            <Icon name="x" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
