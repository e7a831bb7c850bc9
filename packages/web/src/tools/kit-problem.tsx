import type { ReactNode } from 'react'
import { useDo } from '../app/use-api.ts'
import { errorText } from '../app/error-text.ts'
import { useFolder } from '../folders/use-folder.ts'
import { Banner } from '../ui/banner.tsx'
import { Icon } from '../ui/icon.tsx'
import { useToast } from '../ui/toasts.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { ListedServer } from './listed-tool.ts'

/** Why tools of an MCP server are missing, and a way to start it again. */
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
    <div className="kit-problem">
      <Banner
        kind={state === 'failed' ? 'no' : 'ask'}
        icon="plug"
        action={
          <button
            type="button"
            className="btn sm"
            disabled={restart.isPending}
            onClick={restartAll}
          >
            <Icon name="redo" />
            {restart.isPending ? t('settings.mcp.restarting') : t('settings.mcp.restart')}
          </button>
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
