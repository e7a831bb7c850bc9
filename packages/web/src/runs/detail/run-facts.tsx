import { Link } from '@tanstack/react-router'
import type { RunView } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { useFormat } from '../../chat/format.ts'
import { shortName } from '../../compose/model-names.ts'
import { useSelected } from '../../compose/use-selected.ts'
import { spellUnseen } from '../../ui/spell-unseen.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { runFigures } from './run-figures.ts'
import { useMemo } from 'react'

/** The figures of a run in a line. */
export function RunFacts({ view }: { readonly view: RunView }): ReactNode {
  const { t, number, date } = useWords()
  const { duration, tokens } = useFormat()
  const { facts, items } = view
  const { auto } = useSelected({}, facts, undefined)
  const figures = useMemo(() => runFigures(view, timeOf(items).to), [view, items])
  const { from, to } = timeOf(items)
  const model = facts?.modelReference ?? facts?.model ?? ''
  const protocol = facts?.protocol ?? 'native'
  const time = duration(Math.max(0, to - from))
  return (
    <div className="rowline figures num">
      <span title={spellUnseen(model)}>
        <VisibleText text={shortName(model)} />
      </span>
      <span title={t('runs.protocol')}>
        <VisibleText
          text={
            auto?.protocol === protocol && auto.by !== 'script' && auto.by !== 'native'
              ? t(`runs.protocol.${auto.by}`, { protocol })
              : protocol
          }
        />
      </span>
      {facts?.forkOf && (
        <Link to="/runs/$run" params={{ run: facts.forkOf.run }} search={{}} className="linkish">
          {t('runs.forkOf', { turn: facts.forkOf.turn + 1 })}
        </Link>
      )}
      <span>{t('runs.turns', { count: figures.turns })}</span>
      <span>{t('runs.calls', { count: figures.calls })}</span>
      {figures.repairs > 0 && <span>{t('chat.repairs', { count: figures.repairs })}</span>}
      {figures.malformed > 0 && (
        <span>{t('runs.malformed', { count: number(figures.malformed) })}</span>
      )}
      <span>{t('runs.tokens', { count: tokens(figures.tokens) })}</span>
      <span title={from === 0 ? '' : date(from, { dateStyle: 'medium', timeStyle: 'medium' })}>
        {figures.waited < 1000
          ? time
          : t('runs.time.waited', { time, waited: duration(figures.waited) })}
      </span>
    </div>
  )
}

/** From the first message to the end of the last turn and its calls. */
function timeOf(items: RunView['items']): { readonly from: number; readonly to: number } {
  const first = items.find((item) => item.type === 'prompt' || item.type === 'turn')
  const last = items.findLast((item) => item.type === 'turn')
  const from = first?.type === 'prompt' ? first.time : first?.type === 'turn' ? first.started : 0
  let to = last ? last.started + (last.duration ?? 0) : from
  for (const part of last?.parts ?? [])
    if (part.type === 'call' && part.started !== undefined && part.outcome)
      to = Math.max(to, part.started + part.outcome.duration)
  return { from, to }
}
