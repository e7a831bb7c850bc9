import type { RunView } from '@toolglot/react/view'
import type { CSSProperties, ReactNode } from 'react'
import { useFormat } from '../chat/format.ts'
import { Popover } from '../ui/popover.tsx'
import { useWords } from '../words/words.ts'

/** The fields of a run that show how full the context is. */
export interface ContextUse extends Pick<RunView, 'contextUsed' | 'facts' | 'turns' | 'calls'> {
  /** The tokens of all turns. */
  readonly total: number
}

/** Selects the fields of a run that show how full the context is. */
export function contextUse({ contextUsed, facts, turns, calls, usage }: RunView): ContextUse {
  return { contextUsed, facts, turns, calls, total: usage.input + usage.output }
}

/** Shows how full the model's context is, and how many turns are left. */
export function ContextFill({
  use: { contextUsed, facts, turns, calls, total },
}: {
  readonly use: ContextUse
}): ReactNode {
  const { t, number } = useWords()
  const { tokens: compact } = useFormat()
  const { contextTokens, limits } = facts ?? {}
  if (!facts || (contextUsed === 0 && turns === 0)) return null
  const fill = contextTokens === undefined ? undefined : contextUsed / contextTokens
  const percent = fill === undefined ? undefined : number(fill, { style: 'percent' })
  const tokens =
    contextTokens === undefined
      ? t('compose.context.tokens', { used: compact(contextUsed) })
      : t('compose.context.of', { used: compact(contextUsed), size: compact(contextTokens) })
  const turn = limits
    ? t('compose.turn', { turn: turns, limit: limits.maxIterations })
    : t('compose.turn.only', { turn: turns })
  const rows = [
    [t('compose.context'), tokens],
    [t('compose.context.turns'), limits ? `${turns} / ${limits.maxIterations}` : number(turns)],
    [t('compose.context.calls'), limits ? `${calls} / ${limits.maxToolCalls}` : number(calls)],
    [t('compose.context.all'), compact(total)],
  ]
  return (
    <Popover
      side="top"
      align="end"
      label={t('compose.context')}
      className="min-w-[220px] px-3 py-2 text-12"
      trigger={
        <button type="button" className="picker-button picker-button-quiet min-w-0" title={tokens}>
          <span className="sr-only">{t('compose.context')}: </span>
          {fill !== undefined && (
            <span
              className={`size-[15px] flex-none rounded-[50%] [mask:radial-gradient(circle,transparent_4.5px,#000_5px)] ${fill > 0.85 ? 'bg-[conic-gradient(var(--ask-solid)_calc(var(--v)*1%),var(--line-2)_0)]' : 'bg-[conic-gradient(var(--ink-2)_calc(var(--v)*1%),var(--line-2)_0)]'}`}
              style={{ '--v': Math.min(100, Math.round(fill * 100)) } as CSSProperties}
            />
          )}
          {contextUsed > 0 && (
            <span className="tabular-nums">{percent ?? compact(contextUsed)}</span>
          )}
          {turns > 0 && (
            <span className="text-ink-3 tabular-nums phone:hidden!">
              {contextUsed > 0 && '· '}
              {turn}
            </span>
          )}
        </button>
      }
    >
      <dl className="grid gap-1">
        {rows.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-ink-2">{name}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Popover>
  )
}
