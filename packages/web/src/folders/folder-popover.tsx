import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { Popover } from '../ui/popover.tsx'
import { useWords } from '../words/words.ts'

// The list brings its own library, which nobody needs before they open it.
const FolderList = lazy(() => import('./folder-list.tsx'))

/** The folders that are known, beside the button that opens them. */
export function FolderPopover({
  trigger,
  open,
  onOpenChange,
}: {
  readonly trigger: ReactNode
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
}): ReactNode {
  const { t } = useWords()
  const [isOpenHere, setOpenHere] = useState(false)
  const setOpen = onOpenChange ?? setOpenHere
  return (
    <Popover
      {...{ trigger, open: open ?? isOpenHere, onOpenChange: setOpen }}
      label={t('folders.choose')}
      className="picker"
    >
      <Suspense fallback={<div className="skel m-3" />}>
        <FolderList close={() => setOpen(false)} />
      </Suspense>
    </Popover>
  )
}
