import { type ReactNode, lazy, Suspense, useState } from 'react'
import { PhoneFolder } from '../folders/folder-button.tsx'
import { type Key, useWords } from '../words/words.ts'
import { Icon } from '../ui/icon.tsx'
import { useDialog } from './dialogs.tsx'
import { Keys } from './keys.tsx'
import { useRouterState } from '@tanstack/react-router'
import { ViewMain, ViewHeader, ViewTitle } from './view-parts.tsx'

/** A view with its header. */
export function ViewFrame({
  title,
  about,
  actions,
  className = '',
  children,
}: {
  readonly title: Key
  /** A short note beside the title, if there is room. */
  readonly about?: ReactNode
  /** Actions of the whole view, at the end of the header. */
  readonly actions?: ReactNode
  /** Classes of the content below the header. */
  readonly className?: string
  readonly children: ReactNode
}): ReactNode {
  const { t } = useWords()
  return (
    <ViewMain>
      <ViewHeader>
        <PhoneMenu />
        <ViewTitle title={t(title)}>
          <PhoneFolder />
        </ViewTitle>
        {about !== undefined && (
          <span className="min-w-0 truncate text-ink-3 phone:hidden!">{about}</span>
        )}
        <span className="min-w-0 flex-1" />
        {actions}
        <FindButton />
      </ViewHeader>
      <div className={`view-body ${className}`}>{children}</div>
    </ViewMain>
  )
}

/** The header button that opens the palette. */
export function FindButton(): ReactNode {
  const { t } = useWords()
  const openDialog = useDialog()
  return (
    <button
      type="button"
      className="picker-button phone:hidden!"
      onClick={() => openDialog({ type: 'palette' })}
    >
      <Icon name="search" />
      <span className="text-ink-3">{t('shell.find')}</span>
      <Keys keys="mod+k" />
    </button>
  )
}

// Loaded only when first opened.
const PhoneSheet = lazy(() => import('./phone-sheet.tsx'))

/** The header button that opens the recent runs on phones. */
export function PhoneMenu(): ReactNode {
  const { t } = useWords()
  const address = useRouterState({ select: ({ location }) => location.href })
  const [openAt, setOpenAt] = useState<string>()
  return (
    <>
      <button
        type="button"
        className="icon-button hidden phone:inline-grid"
        aria-label={t('shell.menu')}
        aria-haspopup="dialog"
        onClick={() => setOpenAt(address)}
      >
        <Icon name="menu" />
      </button>
      {/* Following a link closes the sheet. */}
      <Suspense>{openAt === address && <PhoneSheet close={() => setOpenAt(undefined)} />}</Suspense>
    </>
  )
}
