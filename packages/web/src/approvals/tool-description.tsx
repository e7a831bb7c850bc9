import { useRun } from '@toolglot/react'
import type { ReactNode } from 'react'
import { useApi } from '../app/use-api.ts'
import { LongText } from '../ui/long-text.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'

/** What a tool says about itself, where its calls say little: those of MCP servers, and a person's own. */
export function ToolDescription({
  run,
  name,
}: {
  readonly run: string
  readonly name: string
}): ReactNode {
  const { t } = useWords()
  const folder = useRun(run).view.facts?.folder
  const { data } = useApi(
    'GET /api/tools',
    { query: folder === undefined ? {} : { folder } },
    { enabled: folder !== undefined, staleTime: 60_000 },
  )
  const tool = data?.tools.find((each) => each.name === name)
  if (!tool) return null
  return (
    <div>
      <p className="label">
        {t('approvals.description')}
        {tool.server !== undefined && (
          <>
            {' · '}
            <VisibleText text={tool.server} />
          </>
        )}
      </p>
      <LongText text={tool.description} className="dim whitespace-pre-wrap wrap-anywhere" />
    </div>
  )
}
