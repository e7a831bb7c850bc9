import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'

// A window, which nobody needs before they open it.
const PhoneSheet = lazy(() => import('./phone-sheet.tsx'))

/** On a phone, the button in the header of a view that opens the recent runs. */
export function PhoneMenu(): ReactNode {
  const { t } = useWords()
  const address = useRouterState({ select: ({ location }) => location.href })
  const [openAt, setOpenAt] = useState<string>()
  return (
    <>
      <button
        type="button"
        className="icon-btn phone-only"
        aria-label={t('shell.menu')}
        aria-haspopup="dialog"
        onClick={() => setOpenAt(address)}
      >
        <Icon name="menu" />
      </button>
      {/* Whoever goes somewhere has chosen. */}
      <Suspense>{openAt === address && <PhoneSheet close={() => setOpenAt(undefined)} />}</Suspense>
    </>
  )
}
