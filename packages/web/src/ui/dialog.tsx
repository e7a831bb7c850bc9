import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'

/** A modal dialog. */
export function Dialog({
  open,
  onOpenChange,
  title,
  children,
  className = '',
  place = 'center',
  hasTitle = true,
  onClosed,
}: {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly children: ReactNode
  readonly className?: string
  /** Default: centered. */
  readonly place?: keyof typeof PLACES
  /** True if the title is visible; otherwise only screen readers read it. */
  readonly hasTitle?: boolean
  /** Called after it has closed and the focus has returned. */
  readonly onClosed?: () => void
}): ReactNode {
  const { t } = useWords()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(10_10_14/0.38)]" />
        <Radix.Content
          className={`fixed z-41 overflow-auto bg-panel shadow-float ${PLACES[place]} ${className}`}
          aria-describedby={undefined}
          // The focus returns right after this.
          onCloseAutoFocus={() => onClosed && queueMicrotask(onClosed)}
        >
          <Radix.Title
            className={
              hasTitle
                ? `pt-3 pr-12 ${place === 'right' ? 'pl-3.5 text-12 font-580' : 'pl-4 text-14 font-600'}`
                : 'sr-only'
            }
          >
            {title}
          </Radix.Title>
          {children}
          {/* Last, so that the content gets the focus first. */}
          <Radix.Close
            className="icon-button icon-button-small absolute top-[9px] right-2.5"
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

const CENTER =
  'left-1/2 -translate-x-1/2 rounded-[12px] phone:top-3 phone:max-h-[calc(100dvh-24px)] phone:w-[calc(100vw-24px)]'

const PLACES = {
  center: `${CENTER} top-[13vh] max-h-[74vh] w-[min(600px,calc(100vw-32px))]`,
  /** For wide content. */
  wide: `${CENTER} top-[13vh] max-h-[74vh] w-[min(720px,calc(100vw-32px))]`,
  /** For long texts. */
  large: `${CENTER} top-[8vh] max-h-[84vh] w-[min(720px,calc(100vw-32px))]`,
  left: 'top-0 left-0 h-dvh w-[min(320px,calc(100vw-48px))]',
  right: 'inset-y-0 right-0 w-[min(380px,calc(100vw-40px))]',
} as const
