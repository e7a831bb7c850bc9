import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useFolder } from '../folders/use-folder.ts'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { isApple } from './apple.ts'
import { keyTexts } from './key-text.ts'
import { RunRow } from './run-row.tsx'
import { readStored, writeStored } from './stored.ts'
import { useRecentRuns, useWaitingRuns } from './use-runs.ts'

const STORED = 'toolglot-recent'

/** The latest runs, of all folders or of the one that is selected, and the way to a new chat. */
export function RecentRuns(): ReactNode {
  const { t } = useWords()
  const { path, search } = useFolder()
  const [isOnlyHere, setOnlyHere] = useState(() => readStored(STORED) === 'folder')
  const runs = useRecentRuns(isOnlyHere ? path : undefined)
  const waiting = useWaitingRuns()
  const onlyHere = t('shell.recent.onlyHere')
  return (
    <>
      <div className="recent-head">
        <h2 className="grow">{t('shell.recent')}</h2>
        <button
          type="button"
          className="icon-btn sm"
          aria-pressed={isOnlyHere}
          aria-label={onlyHere}
          title={onlyHere}
          onClick={() => {
            writeStored(STORED, isOnlyHere ? 'all' : 'folder')
            setOnlyHere(!isOnlyHere)
          }}
        >
          <Icon name="folder" />
        </button>
        <Link
          to="/chat"
          search={search}
          className="icon-btn sm"
          aria-label={t('shell.newChat')}
          title={`${t('shell.newChat')}  ${keyTexts('mod+j', isApple).join(' ')}`}
        >
          <Icon name="plus" />
        </Link>
      </div>
      <ul className="recent">
        {runs?.map((run) => (
          <RunRow key={run.run} run={run} isWaiting={waiting.has(run.run)} />
        ))}
        {runs?.length === 0 && <li className="dim-2 none">{t('shell.recent.none')}</li>}
        {!runs && <li className="skel m-2" />}
      </ul>
    </>
  )
}
