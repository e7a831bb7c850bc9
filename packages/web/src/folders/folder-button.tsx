import { useState } from 'react'
import type { ReactNode } from 'react'
import { useCommands } from '../app/commands.ts'
import { useDialog } from '../app/dialogs.tsx'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { FolderPopover } from './folder-popover.tsx'
import { shortPath } from './short-path.ts'
import { TRUST_WORDS } from './trust-state.ts'
import { TrustWords } from './trust-words.tsx'
import { useFolder } from './use-folder.ts'

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
