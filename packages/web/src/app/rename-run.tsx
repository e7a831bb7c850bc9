import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { useWords } from '../words/words.ts'
import type { RunDialogProps } from './dialogs.tsx'
import { useDo } from './use-api.ts'
import { Button } from '../ui/button.tsx'

/** Renames a run. */
export default function RenameRun({ run, title, close }: RunDialogProps): ReactNode {
  const { t } = useWords()
  const [name, setName] = useState(title)
  const rename = useDo('PATCH /api/runs/:run', ['GET /api/runs', 'GET /api/runs/:run'])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    rename.mutate({ parameters: { run }, body: { name: name.trim() } }, { onSuccess: close })
  }
  return (
    <Dialog open onOpenChange={close} title={t('shell.run.rename')}>
      <form className="pane-content" onSubmit={submit}>
        <label className="field">
          <span className="sr-only">{t('shell.run.name')}</span>
          <input
            value={name}
            onChange={({ target }) => setName(target.value)}
            onFocus={({ target }) => target.select()}
            maxLength={200}
            autoFocus
          />
        </label>
        <p className="text-ink-2">{t('shell.run.rename.about')}</p>
        {rename.error && (
          <p className="text-no" role="alert">
            {rename.error.message}
          </p>
        )}
        <div className="cluster">
          <Button type="submit" look="primary" disabled={name.trim() === '' || rename.isPending}>
            {t('shell.run.rename.do')}
          </Button>
          <Button onClick={close}>{t('shell.cancel')}</Button>
        </div>
      </form>
    </Dialog>
  )
}
