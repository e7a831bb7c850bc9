import type { ReactNode } from 'react'
import { Switch } from '../ui/switch.tsx'
import { spellUnseen } from '../ui/unseen.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { kitName, type Toggles } from './use-toggles.ts'
import type { Toolkit } from './toolkits.ts'
import { useDo, errorText } from '../app/use-api.ts'
import { useFolder } from '../folders/use-folder.ts'
import { Banner } from '../ui/banner.tsx'
import { Icon } from '../ui/icon.tsx'
import { useToast } from '../ui/toasts.tsx'
import type { ListedServer } from './listed-tool.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'

/**
 * The name of a toolkit, the number of enabled tools, and a switch for all of them if settings have
 * a name for the toolkit.
 */
export function KitHead({
  kit,
  toggles,
}: {
  readonly kit: Toolkit
  readonly toggles: Toggles
}): ReactNode {
  const { t, number } = useWords()
  const { kind, name, builtIn, server, members } = kit
  const id =
    name === undefined ? undefined : kitName(kind === 'mcp' ? { server: name } : { toolkit: name })
  const enabled = members.filter(toggles.isOn).length
  return (
    <div className="flex min-w-0 items-center gap-2 px-4 pt-3 pb-[9px]">
      <h2 className="min-w-0 truncate font-580">
        {name === undefined ? (
          t(kind === 'own' ? 'tools.kit.own' : `tools.kit.${builtIn ?? 'other'}`)
        ) : (
          <VisibleText text={name} />
        )}
      </h2>
      {name !== undefined && (
        <span className="min-w-0 truncate text-ink-3">
          {t(kind === 'mcp' ? 'tools.kit.mcp' : 'tools.kit.toolkit')}
        </span>
      )}
      {server && server.state !== 'started' && (
        <Chip
          tone={server.state === 'failed' ? 'no' : undefined}
          outline={server.state !== 'failed'}
        >
          {t(`settings.mcp.${server.state}`)}
        </Chip>
      )}
      <span className="min-w-0 flex-1" />
      {members.length > 0 && (
        <span className="whitespace-nowrap text-ink-3 tabular-nums">
          {t('tools.kit.count', {
            enabled: number(enabled),
            total: number(members.length),
          })}
        </span>
      )}
      {id !== undefined && members.length > 0 && (
        <Switch
          label={t('tools.kit.switch', { name: spellUnseen(name ?? '') })}
          checked={enabled > 0}
          onChange={(isOn) => toggles.toggleKit(id, members, isOn)}
        />
      )}
    </div>
  )
}

/** Why tools of an MCP server are missing, with a button that restarts it. */
export function KitProblem({ server }: { readonly server: ListedServer }): ReactNode {
  const { t } = useWords()
  const toast = useToast()
  const { folder } = useFolder()
  const restart = useDo('POST /api/mcp/restart', ['GET /api/mcp', 'GET /api/tools'])
  const { problems, state } = server
  const restartAll = (): void =>
    restart.mutate(
      { body: { folder } },
      {
        onError: (error) =>
          toast({ title: t('settings.mcp.notRestarted'), text: errorText(error), kind: 'no' }),
      },
    )
  return (
    <div className="px-4 pb-[9px]">
      <Banner
        className="items-start"
        kind={state === 'failed' ? 'no' : 'ask'}
        icon="plug"
        action={
          <Button small disabled={restart.isPending} onClick={restartAll}>
            <Icon name="redo" />
            {restart.isPending ? t('settings.mcp.restarting') : t('settings.mcp.restart')}
          </Button>
        }
      >
        {problems.slice(0, 3).map((problem) => (
          <span className="block break-words" key={problem}>
            <VisibleText text={problem.slice(0, 600)} />
          </span>
        ))}
      </Banner>
    </div>
  )
}
