import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useClient } from '@toolglot/react'
import { ApiError, type Client } from '@toolglot/server/client'
import type { ReactNode } from 'react'
import { useFolder } from '../folders/use-folder.ts'
import { Dialog } from '../ui/dialog.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { RunDialogProps } from './dialogs.tsx'
import { useApi } from './use-api.ts'
import { Button } from '../ui/button.tsx'

/** Deletes a run after a second confirmation. An active run is stopped first. */
export default function DeleteRun({ run, title, close }: RunDialogProps): ReactNode {
  const { t } = useWords()
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { run: shown } = useParams({ strict: false })
  const { search } = useFolder()
  const list = useLocation().pathname.startsWith('/runs/') ? '/runs' : '/chat'
  const isActive = useApi('GET /api/runs/:run', { parameters: { run } }).data?.active ?? false
  const remove = useMutation({
    mutationFn: () => deleteRun(client, run, isActive),
    onSuccess: () => {
      close()
      void queries.invalidateQueries({ queryKey: ['GET /api/runs'] })
      if (run === shown) void navigate({ to: list, search })
    },
  })
  return (
    <Dialog open onOpenChange={close} title={t('shell.run.delete')}>
      <div className="pane-content">
        <b className="break-words">
          <VisibleText text={title} />
        </b>
        <p className="text-ink-2">{t('shell.run.delete.about')}</p>
        {isActive && <p className="text-ask">{t('shell.run.delete.active')}</p>}
        {remove.error && (
          <p className="text-no" role="alert">
            {remove.error.message}
          </p>
        )}
        <div className="cluster">
          <Button className="text-no" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {t(isActive ? 'shell.run.delete.stop' : 'shell.run.delete.do')}
          </Button>
          <Button onClick={close} autoFocus>
            {t('shell.cancel')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** A stopped run needs a moment until it is no longer recorded. */
const ATTEMPTS = 20
const PAUSE = 250

async function deleteRun(client: Client, run: string, isActive: boolean): Promise<void> {
  const parameters = { run }
  if (isActive) await client.request('POST /api/runs/:run/stop', { parameters })
  for (let attempt = 1; ; attempt++) {
    try {
      await client.request('DELETE /api/runs/:run', { parameters })
      return
    } catch (error) {
      const isBusy = error instanceof ApiError && error.status === 409
      if (!isActive || !isBusy || attempt === ATTEMPTS) throw error
      await new Promise((resolve) => void setTimeout(resolve, PAUSE))
    }
  }
}
