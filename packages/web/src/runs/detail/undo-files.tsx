import type { RunView } from '@toolglot/react/view'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useApi } from '../../app/use-api.ts'
import { changedFiles } from '../../chat/aside/changed-files.ts'
import { UndoDialog } from '../../chat/aside/undo-dialog.tsx'
import { useChatActions } from '../../chat/chat-actions.ts'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'

/** A way back for the files that a run changed. */
export function UndoFiles({
  view: { run, facts, state },
  isFixed,
}: {
  readonly view: RunView
  /** Whether it has changed nothing here. */
  readonly isFixed: boolean
}): ReactNode {
  const { t } = useWords()
  const { findCall } = useChatActions()
  const [isAsking, setAsking] = useState(false)
  const { data = [] } = useApi(
    'GET /api/runs/:run/changes',
    { parameters: { run } },
    state === 'working' ? { refetchInterval: 5000 } : {},
  )
  // What was undone is no longer there, but the person still reads about it.
  if (isFixed || (data.length === 0 && !isAsking)) return null
  return (
    <>
      <button type="button" className="btn ghost" onClick={() => setAsking(true)}>
        <Icon name="undo" />
        <span className="wide-only">{t('runs.undo')}</span>
      </button>
      {isAsking && (
        <UndoDialog
          run={run}
          files={changedFiles(data, facts?.folder, findCall)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
