import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { RecentRuns } from './recent-runs.tsx'
import { SideFooter } from './side-footer.tsx'
import { useDialog } from './dialogs.tsx'

/** On a phone: the recent runs, and what the side bar has at its end. */
export default function PhoneSheet({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useWords()
  const openDialog = useDialog()
  return (
    <Dialog open onOpenChange={close} title={t('shell.menu')} hasTitle={false} className="drawer">
      <div className="side-phone">
        <button
          type="button"
          className="btn"
          onClick={() => {
            close()
            openDialog({ type: 'palette' })
          }}
        >
          <Icon name="search" />
          {t('shell.find')}
        </button>
        <RecentRuns />
        <SideFooter />
      </div>
    </Dialog>
  )
}
