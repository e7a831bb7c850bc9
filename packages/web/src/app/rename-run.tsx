import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { useWords } from '../words/words.ts'
import type { RunDialogProps } from './dialogs.tsx'
import { useDo } from './use-api.ts'

/** Gives a run a name. */
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
      <form className="pad" onSubmit={submit}>
        <label className="field">
          <span className="sr">{t('shell.run.name')}</span>
          <input
            value={name}
            onChange={({ target }) => setName(target.value)}
            onFocus={({ target }) => target.select()}
            maxLength={200}
            autoFocus
          />
        </label>
        <p className="dim">{t('shell.run.rename.about')}</p>
        {rename.error && (
          <p className="text-no" role="alert">
            {rename.error.message}
          </p>
        )}
        <div className="rowline">
          <button
            type="submit"
            className="btn pri"
            disabled={name.trim() === '' || rename.isPending}
          >
            {t('shell.run.rename.do')}
          </button>
          <button type="button" className="btn" onClick={close}>
            {t('shell.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
