import type { RunView, TurnItem } from '@toolglot/react/view'
import { memo } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { useFormat } from '../format.ts'
import { tokenRate } from '../rows/token-rate.ts'

/** How full the context is, and how much of its limits the run has used. */
export const ContextSection = memo(function ContextSection({
  facts,
  turns,
  calls,
  contextUsed,
  last,
}: Pick<RunView, 'facts' | 'turns' | 'calls' | 'contextUsed'> & {
  /** The last turn that is complete. */
  readonly last: TurnItem | undefined
}): ReactNode {
  const { t, number } = useWords()
  const { tokens } = useFormat()
  const size = facts?.contextTokens
  const total = Math.max(size ?? contextUsed, 1)
  const input = last?.usage?.input ?? 0
  const output = last?.usage?.output ?? 0
  const rate = last && tokenRate(last)
  const of = (used: number, limit: number | undefined): string =>
    limit === undefined ? number(used) : `${number(used)} / ${number(limit)}`
  return (
    <section>
      <h2>
        {t('chat.context')}
        <span className="end num">
          {size === undefined
            ? t('chat.context.used', { used: tokens(contextUsed) })
            : t('chat.context.of', { used: tokens(contextUsed), size: tokens(size) })}
        </span>
      </h2>
      {size !== undefined && (
        <div
          className="meter"
          role="meter"
          aria-label={t('chat.context')}
          aria-valuemin={0}
          aria-valuemax={size}
          aria-valuenow={Math.min(contextUsed, size)}
        >
          <b style={{ width: `${(100 * input) / total}%`, background: 'var(--strip-mark)' }} />
          <b style={{ width: `${(100 * output) / total}%`, background: 'var(--solid-call)' }} />
        </div>
      )}
      {last?.usage && (
        <div className="legend num">
          <i style={{ background: 'var(--strip-mark)' }} />
          {t('chat.context.prompt')}
          <span>{tokens(input)}</span>
          <i style={{ background: 'var(--solid-call)' }} />
          {t('chat.context.reply')}
          <span>{tokens(output)}</span>
        </div>
      )}
      <div className="facts">
        <div>
          <b>{of(turns, facts?.limits?.maxIterations)}</b>
          <span>{t('chat.facts.turns')}</span>
        </div>
        <div>
          <b>{of(calls, facts?.limits?.maxToolCalls)}</b>
          <span>{t('chat.facts.calls')}</span>
        </div>
        <div>
          <b>{rate === undefined ? '–' : number(rate, { maximumFractionDigits: 1 })}</b>
          <span>{t('chat.facts.rate')}</span>
        </div>
      </div>
    </section>
  )
})
