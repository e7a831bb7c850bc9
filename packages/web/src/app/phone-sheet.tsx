import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { RecentRuns } from './recent-runs.tsx'
import { SideFooter } from './side-footer.tsx'
import { useDialog } from './dialogs.tsx'
import { Button } from '../ui/button.tsx'

/** On phones: the recent runs, and the end of the sidebar. */
export default function PhoneSheet({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useWords()
  const openDialog = useDialog()
  return (
    <Dialog open onOpenChange={close} title={t('shell.menu')} hasTitle={false} place="left">
      <div className="flex h-full flex-col pt-2">
        <Button
          className="mr-12 ml-3 text-ink-3"
          onClick={() => {
            close()
            openDialog({ type: 'palette' })
          }}
        >
          <Icon name="search" />
          {t('shell.find')}
        </Button>
        <RecentRuns />
        <SideFooter />
      </div>
    </Dialog>
  )
}
