import type { ReactNode } from 'react'
import { useDo } from '../../app/use-api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { ChangedFile } from './changed-files.ts'

const MAX_SHOWN = 100

/** Asks before the changes of a run are undone, and says what became of each file. */
export function UndoDialog({
  run,
  files,
  onClose,
}: {
  readonly run: string
  readonly files: readonly ChangedFile[]
  readonly onClose: () => void
}): ReactNode {
  const { t } = useWords()
  const undo = useDo('POST /api/runs/:run/undo', ['GET /api/runs/:run/changes'])
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(undo.data ? 'chat.undo.done' : 'chat.undo.title')}
    >
      <div className="undo">
        {undo.data ? (
          <ul className="grid gap-1" role="status">
            {undo.data.slice(0, MAX_SHOWN).map(({ path, status, why }) => (
              <li key={path} className="grid">
                <span className="rowline">
                  <span className={`chip ${status === 'refused' ? 'no' : 'ok'}`}>
                    {t(`chat.undo.${status}`)}
                  </span>
                  <span className="mono break-words">
                    <VisibleText text={path} />
                  </span>
                </span>
                {why !== undefined && <span className="dim">{why}</span>}
              </li>
            ))}
          </ul>
        ) : (
          <>
            <p>{t('chat.undo.about', { count: files.length })}</p>
            <ul className="mono grid gap-1 text-xs">
              {files.slice(0, MAX_SHOWN).map(({ path, shortPath }) => (
                <li key={path} className="break-words">
                  <VisibleText text={shortPath} />
                </li>
              ))}
            </ul>
          </>
        )}
        {undo.error && (
          <p className="text-no" role="alert">
            {undo.error.message}
          </p>
        )}
        <div className="rowline justify-end">
          <button type="button" className="btn" onClick={onClose}>
            {t(undo.data ? 'shell.close' : 'chat.cancel')}
          </button>
          {!undo.data && (
            <button
              type="button"
              className="btn pri"
              disabled={undo.isPending}
              onClick={() => undo.mutate({ parameters: { run }, body: {} })}
            >
              {t('chat.undo.do')}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  )
}
