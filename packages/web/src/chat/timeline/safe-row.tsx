import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { memo, useState } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { type RowProps, RowView } from './row-view.tsx'

/** A row of the conversation. If it cannot be drawn, the others can. */
export const SafeRow = memo(function SafeRow(props: RowProps): ReactNode {
  const resetKey = useChangeCount(props.row)
  return (
    <CatchBoundary getResetKey={() => resetKey} errorComponent={Failed}>
      <RowView {...props} />
    </CatchBoundary>
  )
})

/** How often something has been another thing than before. */
function useChangeCount(value: unknown): number {
  const [known, setKnown] = useState({ value, count: 0 })
  if (known.value === value) return known.count
  setKnown({ value, count: known.count + 1 })
  return known.count + 1
}

function Failed({ error }: ErrorComponentProps): ReactNode {
  const { t } = useWords()
  return (
    <div className="notice ask" role="alert">
      <Icon name="hand" />
      <div className="min-w-0 break-words">
        {t('chat.row.failed')} <VisibleText text={String(error).slice(0, 300)} />
      </div>
    </div>
  )
}
