import { useState } from 'react'
import type { ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { ownValue, type Settings } from '../place.ts'
import { useRemoval } from '../use-removal.ts'
import { hasHidden, serverNamed, withServer } from './server-draft.ts'

/** Removes a server from the person's own settings. One that this page could not put back is removed only after a question. */
export function RemoveServer({
  name,
  settings,
}: {
  readonly name: string
  readonly settings: Settings
}): ReactNode {
  const { t } = useWords()
  const { remove, isPending } = useRemoval()
  const [isAsking, setAsking] = useState(false)
  const isFinal = hasHidden(serverNamed(ownValue(settings, 'mcpServers'), name))
  const key = 'mcpServers'
  const removeNow = (): void => {
    let before: unknown
    setAsking(false)
    void remove({
      change: {
        key,
        value(now) {
          before = serverNamed(ownValue(now, key), name)
          return withServer(ownValue(now, key), name, undefined)
        },
      },
      ...(!isFinal && {
        undo: {
          key,
          // Another with its name may have been added since.
          value: (now: Settings) =>
            serverNamed(ownValue(now, key), name) === undefined
              ? withServer(ownValue(now, key), undefined, { name, server: before })
              : ownValue(now, key),
        },
      }),
      title: t('settings.mcp.removed', { name }),
    })
  }
  const label = t('settings.mcp.remove', { name })
  return (
    <>
      <button
        type="button"
        className="icon-btn sm"
        aria-label={label}
        title={label}
        disabled={isPending}
        onClick={() => (isFinal ? setAsking(true) : removeNow())}
      >
        <Icon name="trash" />
      </button>
      <Dialog open={isAsking} onOpenChange={setAsking} title={t('settings.mcp.remove.title')}>
        <div className="pad">
          <b className="break-words">
            <VisibleText text={name} />
          </b>
          <p className="dim">{t('settings.mcp.remove.final')}</p>
          <div className="rowline">
            <button type="button" className="btn no" onClick={removeNow}>
              {t('settings.mcp.remove.do')}
            </button>
            <button type="button" className="btn" autoFocus onClick={() => setAsking(false)}>
              {t('shell.cancel')}
            </button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
