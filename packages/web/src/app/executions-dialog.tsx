import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { Executions } from '../approvals/executions.tsx'
import { useWaitingExecutions } from '../approvals/shown-here.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useWords } from '../words/words.ts'

/** The calls of other programs that wait for a person. It closes when there are none left. */
export default function ExecutionsDialog({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useWords()
  const hasAny = useWaitingExecutions().length > 0
  useEffect(() => {
    if (!hasAny) close()
  })
  return (
    <Dialog
      open={hasAny}
      onOpenChange={close}
      title={t('approvals.executions')}
      hasTitle={false}
      className="executions-dialog"
    >
      <Executions />
    </Dialog>
  )
}
