import { useClient } from '@toolglot/react'
import { Command } from 'cmdk'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useDialog } from '../app/dialogs.tsx'
import { errorText, useApi } from '../app/use-api.ts'
import { Icon } from '../ui/icon.tsx'
import { bestMatch } from '../ui/match-score.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { homePath, isAbsolutePath, shortPath, useHome } from './short-path.ts'
import { TrustWords } from './trust-words.tsx'
import { useFolder } from './use-folder.ts'

/** The maximum number of listed folders; search finds the others. */
const MAX_SHOWN = 50

/** The known folders with search. Any other folder can be opened by its path. */
export default function FolderList({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useWords()
  const client = useClient()
  const openDialog = useDialog()
  const { path: current, trust, select } = useFolder()
  const home = useHome()
  const { data: known, isPending } = useApi('GET /api/folders', undefined)
  const [typed, setTyped] = useState('')
  const [highlighted, setHighlighted] = useState(current ?? '')
  const [problem, setProblem] = useState<string>()
  const other = typed.trim()
  const found = (known ?? []).filter(
    ({ folder }) => bestMatch([folder, homePath(folder, home)], other) > 0,
  )
  const choose = (folder: string): void => {
    close()
    if (folder !== current) select(folder)
  }
  const open = async (): Promise<void> => {
    try {
      // The answer contains the real path, and an error if there is no such folder.
      choose((await client.request('GET /api/trust', { query: { folder: other } })).folder)
    } catch (error) {
      setProblem(errorText(error))
    }
  }
  return (
    <Command
      label={t('folders.choose')}
      loop
      shouldFilter={false}
      value={highlighted}
      onValueChange={setHighlighted}
    >
      <Command.Input
        value={typed}
        onValueChange={(next) => {
          setTyped(next)
          setProblem(undefined)
        }}
        placeholder={t('folders.find')}
        autoFocus
      />
      <Command.List>
        {isPending && <div className="skeleton m-2" />}
        {found.slice(0, MAX_SHOWN).map(({ folder, trust: each }) => (
          <Command.Item key={folder} value={folder} onSelect={() => choose(folder)}>
            <Icon name="folder" />
            <span className="min-w-0 flex-1">
              <b className="block min-w-0 truncate" title={folder}>
                <VisibleText text={shortPath(folder, { home, max: 38 })} />
              </b>
              <small className="flex items-center gap-[5px]">
                <TrustWords trust={folder === current && trust ? trust : each} isLong />
              </small>
            </span>
            {folder === current && <Icon name="check" />}
          </Command.Item>
        ))}
        {isAbsolutePath(other) && !found.some(({ folder }) => folder === other) && (
          <Command.Item value={`open ${other}`} onSelect={() => void open()}>
            <Icon name="plus" />
            <span className="min-w-0 flex-1 break-all">
              <VisibleText text={t('folders.open', { folder: other })} />
            </span>
          </Command.Item>
        )}
        {current !== undefined && other === '' && (
          <Command.Item
            value="review"
            onSelect={() => {
              close()
              openDialog({ type: 'trust', folder: current })
            }}
          >
            <Icon name="shield" />
            {t(trust === 'trusted' ? 'folders.see' : 'folders.review.command')}
          </Command.Item>
        )}
      </Command.List>
      <p
        className={`border-t border-line px-3.5 py-2 text-12 wrap-anywhere ${problem === undefined ? 'text-ink-3' : 'text-no'}`}
        role="status"
      >
        {problem ?? t('folders.other')}
      </p>
    </Command>
  )
}
