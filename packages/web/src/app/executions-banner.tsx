import type { ReactNode } from 'react'
import { useWaitingExecutions } from '../approvals/shown-here.ts'
import { Banner } from '../ui/banner.tsx'
import { useWords } from '../words/words.ts'
import { useCommands } from './commands.ts'
import { useDialog } from './dialogs.tsx'

/** Says that calls of other programs wait for a person: they belong to no chat. */
export function ExecutionsBanner(): ReactNode {
  const { t } = useWords()
  const openDialog = useDialog()
  const count = useWaitingExecutions().length
  const open = (): void => openDialog({ type: 'executions' })
  useCommands(
    count === 0
      ? []
      : [
          {
            id: 'review executions',
            label: { text: t('shell.executions.review', { count }) },
            group: 'waiting',
            icon: 'hand',
            run: open,
          },
        ],
  )
  if (count === 0) return null
  return (
    <Banner
      icon="hand"
      action={
        <button type="button" className="btn sm" onClick={open}>
          {t('shell.review')}
        </button>
      }
    >
      {t('shell.executions', { count })}
    </Banner>
  )
}
