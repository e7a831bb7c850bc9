import { useQueryClient } from '@tanstack/react-query'
import type { RunView } from '@toolglot/react/view'
import { memo, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useApi } from '../../app/use-api.ts'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import { type ChangedFile, changedFiles } from './changed-files.ts'
import { UndoDialog } from './undo-dialog.tsx'

const MAX_SHOWN = 100

/** The files that the run changed, and a way back. */
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
  // What was undone is no longer there, but the person still reads about it.
  if (!data || (data.length === 0 && !isAsking)) return null
  return (
    <section>
      <h2>
        {t('chat.files')}
        <span className="end">
          <button type="button" className="btn ghost sm" onClick={() => setAsking(true)}>
            <Icon name="undo" />
            {t('chat.undo')}
          </button>
        </span>
      </h2>
      <ul className="grid gap-1">
        {files.slice(0, MAX_SHOWN).map((file) => (
          <FileLine key={file.path} file={file} />
        ))}
      </ul>
      {files.length > MAX_SHOWN && (
        <p className="dim">{t('chat.files.more', { count: files.length - MAX_SHOWN })}</p>
      )}
      {isAsking && <UndoDialog run={run} files={files} onClose={() => setAsking(false)} />}
    </section>
  )
})

function FileLine({
  file: { path, shortPath, added, removed },
}: {
  readonly file: ChangedFile
}): ReactNode {
  return (
    <li className="rowline mono flex-nowrap text-xs" title={path}>
      <span className="cut grow">
        <VisibleText text={shortPath} />
      </span>
      {added > 0 && <span className="chip ok num">+{added}</span>}
      {removed > 0 && <span className="chip no num">−{removed}</span>}
    </li>
  )
}
