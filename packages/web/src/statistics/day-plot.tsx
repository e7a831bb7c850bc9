import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useDark } from '../app/theme.ts'
import { useWords } from '../words/words.ts'
import type { Day } from './figures.ts'

/** The calls of each day as stacked bars: done, failed and denied. */
export default function DayPlot({
  days,
  label,
}: {
  readonly days: readonly Day[]
  readonly label: string
}): ReactNode {
  const { t, number, date } = useWords()
  const frame = useRef<HTMLDivElement>(null)
  const isDark = useDark()
  const [shown, setShown] = useState<number>()
  useEffect(() => {
    const element = frame.current!
    const plot = new uPlot(
      optionsOf(element, {
        day: (time) => date(time, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
        count: (value) => number(value),
        onDay: (at) => setShown(at ?? undefined),
      }),
      dataOf(days),
      element,
    )
    const watch = new ResizeObserver(() => plot.setSize(sizeOf(element)))
    watch.observe(element)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
    // The colors are read once per theme.
  }, [days, isDark, date, number])
  const day = shown === undefined ? undefined : days[shown]
  return (
    <>
      <div
        ref={frame}
        className="h-[214px] min-w-0 overflow-hidden"
        role="img"
        aria-label={label}
      />
      <p className="-mt-2 text-right text-12 text-ink-3 tabular-nums" aria-hidden="true">
        {day
          ? `${date(day.time, { dateStyle: 'medium', timeZone: 'UTC' })} · ${number(day.done)} ${t('statistics.done')} · ${number(day.failed)} ${t('statistics.failedCalls')} · ${number(day.denied)} ${t('statistics.denied')}`
          : t('statistics.byDay.utc')}
      </p>
    </>
  )
}

/** In seconds. */
const DAY = 86_400

function dataOf(days: readonly Day[]): uPlot.AlignedData {
  return [
    days.map(({ time }) => time / 1000),
    // Stacked: the largest sum is drawn first, and the others over it.
    days.map(({ done, failed, denied }) => done + failed + denied),
    days.map(({ done, failed }) => done + failed),
    days.map(({ done }) => done),
  ]
}

function sizeOf(element: HTMLElement): { readonly width: number; readonly height: number } {
  return { width: Math.max(120, element.clientWidth), height: 214 }
}

function optionsOf(
  element: HTMLElement,
  {
    day,
    count,
    onDay,
  }: {
    readonly day: (time: number) => string
    readonly count: (value: number) => string
    readonly onDay: (at: number | null | undefined) => void
  },
): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  const font = `11px ${style.fontFamily}`
  const bars = uPlot.paths.bars!({ size: [0.72, 36] })
  const series = (name: string): uPlot.Series => ({
    fill: colour(name),
    width: 0,
    paths: bars,
    points: { show: false },
  })
  const axis: uPlot.Axis = {
    stroke: colour('--ink-3'),
    font,
    ticks: { show: false },
    grid: { stroke: colour('--line'), width: 1 },
  }
  return {
    ...sizeOf(element),
    legend: { show: false },
    padding: [6, 4, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    tzDate: (time) => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
    scales: {
      x: { time: true, range: (_, from, to) => [from - DAY * 0.6, to + DAY * 0.6] },
      y: { range: (_, __, most) => [0, top(most)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        space: 64,
        incrs: [1, 2, 7, 14, 30, 90, 365].map((days) => days * DAY),
        values: (_, times) => times.map((time) => (time % DAY === 0 ? day(time * 1000) : '')),
      },
      {
        ...axis,
        size: 40,
        space: 40,
        incrs: [...STEPS],
        values: (_, values) => values.map((value) => count(value)),
      },
    ],
    series: [{}, series('--strip-mark'), series('--solid-no'), series('--solid-call')],
    hooks: { setCursor: [({ cursor }) => onDay(cursor.idx)] },
  }
}

/** Steps between grid lines. */
const STEPS: readonly number[] = [1, 2, 5]
  .flatMap((digit) => Array.from({ length: 7 }, (_, power) => digit * 10 ** power))
  .sort((one, other) => one - other)

/** The upper end of the axis: a grid line just above the largest value. */
function top(most: number): number {
  const step = STEPS.find((each) => most / each <= 4) ?? most
  return Math.max(1, Math.ceil((most * 1.02) / step)) * step
}
