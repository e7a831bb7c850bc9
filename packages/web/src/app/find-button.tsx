import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { useDialog } from './dialogs.tsx'
import { Keys } from './keys.tsx'

/** The button in the header of a view that opens the palette. */
export function FindButton(): ReactNode {
  const { t } = useWords()
  const openDialog = useDialog()
  return (
    <button
      type="button"
      className="pick wide-only"
      onClick={() => openDialog({ type: 'palette' })}
    >
      <Icon name="search" />
      <span className="dim-2">{t('shell.find')}</span>
      <Keys keys="mod+k" />
    </button>
  )
}
