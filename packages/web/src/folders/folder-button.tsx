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
import { Dot } from '../ui/dot.tsx'

/** The folder that the page works in and its trust state; a click lists others. */
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
        <button
          type="button"
          className="mx-2 mb-2 grid grid-cols-[auto_1fr_auto] items-center gap-x-2 rounded-md border border-line bg-panel px-2 py-[7px] text-left transition-[border-color] hover:border-line-2 tablet:relative tablet:grid-cols-1 tablet:justify-items-center tablet:px-0 tablet:py-[9px]"
          title={path}
        >
          <Icon name="folder" className="text-ink-3" />
          <span className="min-w-0 truncate font-560 tablet:hidden">
            <span className="sr-only">{t('folders.folder')} </span>
            <VisibleText text={shortPath(name, { max: 20 })} />
          </span>
          <Icon name="updown" className="text-ink-3 tablet:hidden" />
          <span className="col-start-2 flex items-center gap-[5px] text-11 text-ink-2 tablet:hidden">
            {trust && <TrustWords trust={trust} />}
          </span>
          {trust && (
            <Dot
              tone={TRUST_WORDS[trust].dot}
              className="absolute right-1.5 bottom-1.5 hidden tablet:block"
            />
          )}
        </button>
      }
    />
  )
}

/** On phones, the folder and its trust state under the title of a view; a tap lists others. */
export function PhoneFolder(): ReactNode {
  const { t } = useWords()
  const { name, trust } = useFolder()
  return (
    <FolderPopover
      trigger={
        <button
          type="button"
          className="hidden min-w-0 items-center gap-[5px] text-left text-[11.5px] text-ink-2 phone:flex"
        >
          <span className="sr-only">{t('folders.folder')} </span>
          {trust && <Dot tone={TRUST_WORDS[trust].dot} />}
          <span className="min-w-0 truncate">
            <VisibleText text={name} />
            {trust && ` · ${t(TRUST_WORDS[trust].short)}`}
          </span>
        </button>
      }
    />
  )
}

// Loads its own library, so it is loaded only when opened.
const FolderList = lazy(() => import('./folder-list.tsx'))

/** The known folders, in a popover. */
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
      className="w-[330px]"
    >
      <Suspense fallback={<div className="skeleton m-3" />}>
        <FolderList close={() => setOpen(false)} />
      </Suspense>
    </Popover>
  )
}
