import type { ApiAnswer } from '@toolglot/server/client'
import { useState, type ReactNode } from 'react'

import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { PlaceText, isOwn, type Settings, ownValue } from '../place-text.tsx'
import { ServerForm } from './server-form.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useRemoval } from '../use-settings.ts'
import { hasHidden, serverNamed, withServer } from './server-draft.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ReviewLink } from '../page-frame.tsx'
import { Button } from '../../ui/button.tsx'
import { Item, BELOW_ITEM } from '../item.tsx'

type Server = ApiAnswer<'GET /api/mcp'>['servers'][number]

const DOTS = { started: 'ok', failed: 'no', disabled: undefined, untrusted: 'ask' } as const
/** Further tools are counted, not drawn. */
const MAX_TOOLS = 100

/** An MCP server with its state, tools and actions. */
export function ServerItem({
  server,
  settings,
}: {
  readonly server: Server
  readonly settings: Settings | undefined
}): ReactNode {
  const { t } = useWords()
  const [isEditing, setEditing] = useState(false)
  const { name, state, command, args = [], url, variables, headers, problems, tools } = server
  const isMine = settings !== undefined && isOwn(server, settings)
  return (
    <Item
      tone={DOTS[state]}
      name={
        <span className="font-500">
          <VisibleText text={name} />
        </span>
      }
      about={
        <>
          {t(`settings.mcp.${state}`)}
          {state === 'untrusted' && <ReviewLink />}
        </>
      }
      fact={
        <span className="text-ink-3">
          {settings && <PlaceText place={server} settings={settings} />}
        </span>
      }
      actions={
        isMine && (
          <>
            <IconButton
              icon="edit"
              label={t('settings.mcp.change', { name })}
              aria-expanded={isEditing}
              onClick={() => setEditing(!isEditing)}
            />
            <RemoveServer {...{ name, settings }} />
          </>
        )
      }
    >
      <div className={BELOW_ITEM}>
        <code className="wrap-anywhere text-ink-2">
          <VisibleText text={url ?? [command ?? '', ...args].join(' ')} />
        </code>
        {variables.length + headers.length > 0 && (
          <p className="text-ink-2">
            {t('settings.mcp.given')}{' '}
            <code>
              <VisibleText text={[...variables, ...headers].join(', ')} />
            </code>
          </p>
        )}
        {problems.map((problem) => (
          <p className="fault" key={problem}>
            <VisibleText text={problem} />
          </p>
        ))}
        {tools.length > 0 && (
          <details>
            <summary>{t('settings.mcp.tools', { count: tools.length })}</summary>
            <ul className="grid gap-1 pt-1.5 pb-0.5">
              {tools.slice(0, MAX_TOOLS).map((tool) => (
                <li key={tool.name}>
                  <code>
                    <VisibleText text={tool.name} />
                  </code>{' '}
                  <span className="text-ink-2">
                    <VisibleText text={tool.description.slice(0, 300)} />
                  </span>
                </li>
              ))}
              {tools.length > MAX_TOOLS && (
                <li className="text-ink-2">
                  {t('settings.explain.more', { count: tools.length - MAX_TOOLS })}
                </li>
              )}
            </ul>
          </details>
        )}
        {isEditing && <ServerForm name={name} onDone={() => setEditing(false)} />}
      </div>
    </Item>
  )
}

/** Removes a server from the user's own settings. Asks first if the page could not restore it. */
function RemoveServer({
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
          // Another server with its name may have been added since.
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
      <IconButton
        icon="trash"
        label={label}
        disabled={isPending}
        onClick={() => (isFinal ? setAsking(true) : removeNow())}
      />
      <Dialog open={isAsking} onOpenChange={setAsking} title={t('settings.mcp.remove.title')}>
        <div className="pane-content">
          <b className="break-words">
            <VisibleText text={name} />
          </b>
          <p className="text-ink-2">{t('settings.mcp.remove.final')}</p>
          <div className="cluster">
            <Button className="text-no" onClick={removeNow}>
              {t('settings.mcp.remove.do')}
            </Button>
            <Button autoFocus onClick={() => setAsking(false)}>
              {t('shell.cancel')}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
