import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { FolderPopover } from './folder-popover.tsx'
import { TRUST_WORDS } from './trust-state.ts'
import { useFolder } from './use-folder.ts'

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
