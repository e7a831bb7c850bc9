import { useState, type ReactNode, lazy, Suspense } from 'react'
import { useCommands } from '../app/commands.ts'
import { useDialog } from '../app/dialogs.tsx'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { shortPath } from './short-path.ts'
import { TRUST_WORDS, TrustWords } from './trust-words.tsx'
import { useFolder } from './use-folder.ts'
import { Popover } from '../ui/popover.tsx'

/** The folder that the page works in and whether it is trusted; a click lists others. */
export function FolderButton(): ReactNode {
  const { t } = useWords()
  const { name, path, trust } = useFolder()
  const [isOpen, setOpen] = useState(false)
  const openDialog = useDialog()
  useCommands([
    {
      id: 'folder',
      label: 'folders.command',
      group: 'here',
      icon: 'folder',
      keys: 'mod+o',
      run: () => setOpen(true),
    },
    {
      id: 'trust',
      label: trust === 'trusted' ? 'folders.see' : 'folders.review.command',
      group: 'here',
      icon: 'shield',
      run: () => path !== undefined && openDialog({ type: 'trust', folder: path }),
    },
  ])
  return (
    <FolderPopover
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="folder" title={path}>
          <Icon name="folder" />
          <span className="where cut">
            <span className="sr">{t('folders.folder')} </span>
            <VisibleText text={shortPath(name, { max: 20 })} />
          </span>
          <Icon name="updown" className="arrow" />
          <span className="trust dim">{trust && <TrustWords trust={trust} />}</span>
          {trust && <i className={`dot corner ${TRUST_WORDS[trust].dot}`} />}
        </button>
      }
    />
  )
}

/** The folder and whether it is trusted, under the title of a view on a phone; a tap lists others. */
export function PhoneFolder(): ReactNode {
  const { t } = useWords()
  const { name, trust } = useFolder()
  return (
    <FolderPopover
      trigger={
        <button type="button" className="phone-folder">
          <span className="sr">{t('folders.folder')} </span>
          {trust && <i className={`dot ${TRUST_WORDS[trust].dot}`} />}
          <span className="cut">
            <VisibleText text={name} />
            {trust && ` · ${t(TRUST_WORDS[trust].short)}`}
          </span>
        </button>
      }
    />
  )
}

// The list brings its own library, which nobody needs before they open it.
const FolderList = lazy(() => import('./folder-list.tsx'))

/** The folders that are known, beside the button that opens them. */
function FolderPopover({
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
