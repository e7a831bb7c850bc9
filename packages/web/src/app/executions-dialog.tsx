import { useEffect, type ReactNode } from 'react'
import { useWaitingExecutions } from '../approvals/shown-here.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useWords } from '../words/words.ts'
import { AskCard } from '../approvals/ask-card.tsx'
import { partOf } from '../approvals/pending-part.ts'

/** The next requests appear once these are answered. */
const MAX_SHOWN = 10

/** Calls of other programs that wait for the user. Closes when none are left. */
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
      place="wide"
      className="px-4 py-3.5"
    >
      <Executions />
    </Dialog>
  )
}

/**
 * Calls that other programs sent over HTTP and that wait for the user. They belong to no chat, so
 * they are answered here.
 */
function Executions(): ReactNode {
  const { t } = useWords()
  const requests = useWaitingExecutions()
  if (requests.length === 0) return null
  return (
    <section className="grid grid-cols-1 gap-2.5" aria-label={t('approvals.executions')}>
      <h2 className="font-580">{t('approvals.executions')}</h2>
      <p className="text-ink-2">{t('approvals.executions.about')}</p>
      {requests.slice(0, MAX_SHOWN).map((request, at) => (
        <AskCard
          key={`${request.run} ${request.key}`}
          run={request.run}
          part={partOf(request)}
          position={at + 1}
          count={requests.length}
        />
      ))}
    </section>
  )
}
