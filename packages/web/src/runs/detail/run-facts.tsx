import { Link } from '@tanstack/react-router'
import type { RunView, Item } from '@toolglot/react/view'
import { type ReactNode, useMemo } from 'react'
import { useFormat } from '../../chat/format.ts'
import { shortName } from '../../compose/choices.ts'
import { useSelected } from '../../compose/use-selected.ts'
import { spellUnseen } from '../../ui/unseen.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { callBars } from '../waterfall/rows.ts'

/** The totals of a run. */
interface RunFigures {
  readonly turns: number
  readonly calls: number
  readonly repairs: number
  readonly malformed: number
  readonly tokens: number
  /** The time it waited for the user, in milliseconds. Overlapping waits count once. */
  readonly waited: number
}

/** The figures of a run in one line. */
export function RunFacts({
  view,
  className,
}: {
  readonly view: RunView
  readonly className: string
}): ReactNode {
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
    <div
      className={`cluster min-h-[18px] gap-x-3 gap-y-[3px] text-12 text-ink-2 tabular-nums ${className}`}
    >
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
        <Link to="/runs/$run" params={{ run: facts.forkOf.run }} search={{}} className="text-link">
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

/** Sums up the events of a run. */
export function runFigures(
  { items, usage }: Pick<RunView, 'items' | 'usage'>,
  now: number,
): RunFigures {
  let [turns, calls, repairs, malformed] = [0, 0, 0, 0]
  const waits: (readonly [from: number, to: number])[] = []
  for (const part of partsOf(items)) {
    if (part.type === 'malformed') malformed++
    if (part.type !== 'call') continue
    calls++
    repairs += part.call?.repairs.length ?? 0
    for (const { kind, from, to } of callBars(part, now))
      if (kind === 'wait') waits.push([from, to])
  }
  for (const item of items) if (item.type === 'turn' && !item.isUnfinished) turns++
  return {
    turns,
    calls,
    repairs,
    malformed,
    tokens: usage.input + usage.output,
    waited: covered(waits),
  }
}

function partsOf(items: readonly Item[]) {
  return items.flatMap((item) => (item.type === 'turn' ? item.parts : []))
}

/** The total time covered by at least one of the spans. */
function covered(spans: readonly (readonly [from: number, to: number])[]): number {
  let [sum, end] = [0, -Infinity]
  for (const [from, to] of [...spans].sort(([one], [other]) => one - other)) {
    sum += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return sum
}
