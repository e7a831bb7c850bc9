import type { CallApproval } from '@toolglot/react/view'
import { useMemo, useState, type ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { argumentsText, type CallCommand } from './command-of.ts'
import { CommandText } from './command-text.tsx'
import { DiffView } from '../ui/diff.tsx'
import { Filled, SLOT } from './filled.tsx'
import { LongText } from '../ui/long-text.tsx'
import { PartReason, PartsTable } from './parts-table.tsx'
import { isExecution } from './pending-part.ts'
import { RunsAs } from './shell-text.tsx'
import type { Preview } from './use-preview.ts'
import { useRun } from '@toolglot/react'
import { useApi } from '../app/use-api.ts'

/** The effects of a call: its command with its parts, its change, or its arguments. */
export function CallBody({
  run,
  approval: { args, request },
  command,
  preview,
}: {
  readonly run: string
  readonly approval: CallApproval
  readonly command: CallCommand | undefined
  readonly preview: Preview
}): ReactNode {
  const { t } = useWords()
  const [active, setActive] = useState<readonly number[]>([])
  const { parts, call } = request.decision
  const [only] = parts
  const isListed =
    command !== undefined || parts.length > 1 || (only?.subject && 'words' in only.subject)
  const isOther = !isExecution({ run }) && parts.every(({ subject }) => !subject)
  return (
    <>
      {command && (
        <CommandText text={command.text} parts={parts} active={active} onActive={setActive} />
      )}
      {isListed ? (
        <PartsTable parts={parts} whole={command?.text} active={active} onActive={setActive} />
      ) : (
        only && (
          <p className="text-ink-2">
            <PartReason part={only} /> <WouldWrite rules={request.always} />
          </p>
        )
      )}
      <RunsAs decision={request.decision} />
      {isOther && !command && call && <ToolDescription run={run} name={call.name} />}
      {preview.state === 'loading' && <p className="text-ink-2">{t('approvals.diff.loading')}</p>}
      {preview.state === 'unknown' && <p className="text-ink-2">{t('approvals.diff.unknown')}</p>}
      {preview.state === 'failed' && (
        <p className="text-ink-2">
          {t('approvals.diff.failed')}{' '}
          {preview.why !== undefined && <VisibleText text={preview.why} />}
        </p>
      )}
      {preview.state === 'known' &&
        (preview.diff.lines.length > 0 ? (
          // A new change needs a new view.
          <DiffView key={preview.text} diff={preview.diff} />
        ) : (
          <p className="text-ink-2">{t('approvals.diff.none')}</p>
        ))}
      <Arguments args={args} command={command} isShown={preview.state === 'known'} />
    </>
  )
}

function WouldWrite({ rules }: { readonly rules: readonly string[] }): ReactNode {
  const { t } = useWords()
  const [rule, ...more] = rules
  if (rule === undefined || more.length > 0) return null
  return (
    <Filled
      text={t('approvals.wouldWrite', { rule: SLOT })}
      slots={[
        <code key="rule" className="text-ink">
          <VisibleText text={rule} />
        </code>,
      ]}
    />
  )
}

/** The arguments that are not shown elsewhere. */
function Arguments({
  args,
  command,
  isShown,
}: {
  readonly args: CallApproval['args']
  readonly command: CallCommand | undefined
  /** True if the change already shows their effect. */
  readonly isShown: boolean
}): ReactNode {
  const { t } = useWords()
  const text = useMemo(() => argumentsText(args, command), [args, command])
  if (text === '') {
    return command === undefined ? (
      <p className="text-ink-2">{t('approvals.arguments.none')}</p>
    ) : null
  }
  const title = t(command === undefined ? 'approvals.arguments' : 'approvals.arguments.other')
  if (isShown) {
    return (
      <details className="grid grid-cols-1 gap-1">
        <summary className="label cursor-pointer">{title}</summary>
        <LongText text={text} label={title} />
      </details>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-1">
      <p className="label">{title}</p>
      <LongText text={text} label={title} />
    </div>
  )
}

/**
 * The tool's description, for calls that explain little: those of MCP servers and of the user's own
 * tools.
 */
function ToolDescription({
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
      <LongText text={tool.description} className="wrap-anywhere whitespace-pre-wrap text-ink-2" />
    </div>
  )
}
