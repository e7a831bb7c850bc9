import { useState } from 'react'
import type { ReactNode } from 'react'
import { useDialog } from '../app/dialogs.tsx'
import { Banner } from '../ui/banner.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { useFolder } from './use-folder.ts'
import { Button } from '../ui/button.tsx'
import { SHELL_BANNER } from '../app/shell-looks.ts'

/** Announces that the settings of the folder have no effect yet, and offers to review them. */
export function TrustBanner(): ReactNode {
  const { t } = useWords()
  const { name, path, trust, offer } = useFolder()
  const openDialog = useDialog()
  const [later, setLater] = useState<string>()
  if (trust === 'gone') {
    return (
      <Banner kind="no" icon="folder" className={SHELL_BANNER}>
        <VisibleText text={t('folders.gone.banner', { folder: name })} />
      </Banner>
    )
  }
  if (path === undefined || !offer || (trust !== 'untrusted' && trust !== 'changed')) return null
  // A postponed decision is asked again when the settings change.
  const seen = JSON.stringify([path, offer.digests])
  if (later === seen) return null
  return (
    <Banner
      icon="shield"
      className={SHELL_BANNER}
      action={
        <Button
          small
          onClick={() => openDialog({ type: 'trust', folder: path, later: () => setLater(seen) })}
        >
          {t('shell.review')}
        </Button>
      }
    >
      <VisibleText
        text={t(trust === 'changed' ? 'folders.changed.banner' : 'folders.untrusted.banner', {
          folder: name,
        })}
      />
    </Banner>
  )
}
