import { useState } from 'react'
import type { ReactNode } from 'react'
import { useApi, useDo, errorText } from '../../app/use-api.ts'
import { useFolder } from '../../folders/use-folder.ts'
import { Icon } from '../../ui/icon.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { Loaded } from '../../app/loaded.tsx'
import { AddButton, PageFrame } from '../page-frame.tsx'
import { useSettings } from '../use-settings.ts'
import { ServerForm } from './server-form.tsx'
import { ServerItem } from './server-item.tsx'
import { Button } from '../../ui/button.tsx'

/** The MCP servers with their tools and problems. */
export default function McpPage(): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const { folder } = useFolder()
  const { data: settings } = useSettings()
  const servers = useApi('GET /api/mcp', { query: { folder } })
  const restart = useDo('POST /api/mcp/restart', ['GET /api/mcp', 'GET /api/tools'])
  const [isAdding, setAdding] = useState(false)
  const restartAll = (): void =>
    restart.mutate(
      { body: { folder } },
      {
        onSuccess: () => toast({ title: t('settings.mcp.restarted') }),
        onError: (error) =>
          toast({ title: t('settings.mcp.notRestarted'), text: errorText(error), kind: 'no' }),
      },
    )
  return (
    <PageFrame
      title={t('settings.page.mcp')}
      about={t('settings.mcp.about')}
      actions={
        <>
          <Button
            disabled={restart.isPending || servers.data?.servers.length === 0}
            onClick={restartAll}
          >
            <Icon name="redo" />
            {restart.isPending ? t('settings.mcp.restarting') : t('settings.mcp.restart')}
          </Button>
          <AddButton label={t('settings.mcp.server')} {...{ isAdding, setAdding }} />
        </>
      }
    >
      {isAdding && <ServerForm onDone={() => setAdding(false)} />}
      <Loaded query={servers}>
        {({ servers: found }) => (
          <>
            {found.length === 0 ? (
              <p className="text-ink-2">{t('settings.mcp.none')}</p>
            ) : (
              <div className="card">
                {found.map((server) => (
                  <ServerItem key={server.name} server={server} settings={settings} />
                ))}
              </div>
            )}
            <p className="text-ink-2">{t('settings.mcp.trust')}</p>
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}
