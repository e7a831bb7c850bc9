import { useQueryClient } from '@tanstack/react-query'
import type { RunView, CallPart } from '@toolglot/react/view'
import { memo, useEffect, useMemo, useState, type ReactNode } from 'react'
import { useApi, useDo } from '../../app/use-api.ts'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { countLines } from '../calls/edit-lines.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { AsideSection } from './aside-section.tsx'

const MAX_SHOWN = 100

/** The files that the run changed, with a button that undoes the changes. */
export const FilesSection = memo(function FilesSection({
  run,
  turns,
  state,
  folder,
}: Pick<RunView, 'run' | 'turns' | 'state'> & {
  readonly folder: string | undefined
}): ReactNode {
  const { t } = useWords()
  const { findCall } = useChatActions()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { data } = useApi('GET /api/runs/:run/changes', { parameters: { run } })
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['GET /api/runs/:run/changes'] })
  }, [queries, turns, state])
  const files = useMemo(() => changedFiles(data ?? [], folder, findCall), [data, folder, findCall])
  // The dialog stays open after its changes are undone.
  if (!data || (data.length === 0 && !isAsking)) return null
  return (
    <AsideSection
      title={t('chat.files')}
      end={
        <Button look="ghost" small onClick={() => setAsking(true)}>
          <Icon name="undo" />
          {t('chat.undo')}
        </Button>
      }
    >
      <ul className="grid gap-1">
        {files.slice(0, MAX_SHOWN).map((file) => (
          <FileLine key={file.path} file={file} />
        ))}
      </ul>
      {files.length > MAX_SHOWN && (
        <p className="text-ink-2">{t('chat.files.more', { count: files.length - MAX_SHOWN })}</p>
      )}
      {isAsking && <UndoDialog run={run} files={files} onClose={() => setAsking(false)} />}
    </AsideSection>
  )
})

function FileLine({
  file: { path, shortPath, added, removed },
}: {
  readonly file: ChangedFile
}): ReactNode {
  return (
    <li className="cluster flex-nowrap font-mono text-12 leading-[calc(1/0.75)]" title={path}>
      <span className="min-w-0 flex-1 truncate">
        <VisibleText text={shortPath} />
      </span>
      {added > 0 && (
        <Chip tone="ok" className="tabular-nums">
          +{added}
        </Chip>
      )}
      {removed > 0 && (
        <Chip tone="no" className="tabular-nums">
          −{removed}
        </Chip>
      )}
    </li>
  )
}

/** Asks before the changes of a run are undone, then shows the result for each file. */
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
      <div className="grid gap-3 px-4 pt-2 pb-3.5">
        {undo.data ? (
          <ul className="grid gap-1" role="status">
            {undo.data.slice(0, MAX_SHOWN).map(({ path, status, why }) => (
              <li key={path} className="grid">
                <span className="cluster">
                  <Chip tone={status === 'refused' ? 'no' : 'ok'}>{t(`chat.undo.${status}`)}</Chip>
                  <span className="font-mono break-words">
                    <VisibleText text={path} />
                  </span>
                </span>
                {why !== undefined && <span className="text-ink-2">{why}</span>}
              </li>
            ))}
          </ul>
        ) : (
          <>
            <p>{t('chat.undo.about', { count: files.length })}</p>
            <ul className="grid gap-1 font-mono text-12 leading-[calc(1/0.75)]">
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
        <div className="cluster justify-end">
          <Button onClick={onClose}>{t(undo.data ? 'shell.close' : 'chat.cancel')}</Button>
          {!undo.data && (
            <Button
              look="primary"
              disabled={undo.isPending}
              onClick={() => undo.mutate({ parameters: { run }, body: {} })}
            >
              {t('chat.undo.do')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

/** A file that a run changed. */
interface ChangedFile {
  readonly path: string
  /** The path relative to the folder of the run, if inside it. */
  readonly shortPath: string
  readonly added: number
  readonly removed: number
}

/** Groups the changes by file. */
export function changedFiles(
  changes: readonly { readonly path: string; readonly call?: string | undefined }[],
  folder: string | undefined,
  findCall: (id: string) => CallPart | undefined,
): readonly ChangedFile[] {
  const files = new Map<string, { added: number; removed: number }>()
  for (const { path, call } of changes) {
    const file = files.get(path) ?? { added: 0, removed: 0 }
    const args = call === undefined ? undefined : findCall(call)?.call?.args
    const lines = args && countLines(args)
    file.added += lines?.added ?? 0
    file.removed += lines?.removed ?? 0
    files.set(path, file)
  }
  return [...files].map(([path, lines]) => ({ path, shortPath: shorten(path, folder), ...lines }))
}

function shorten(path: string, folder: string | undefined): string {
  if (folder === undefined || !path.startsWith(folder)) return path
  const rest = path.slice(folder.length)
  return /^[/\\]./.test(rest) ? rest.slice(1) : path
}
