import { lazy, Suspense, useMemo } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { daysOf, type Statistics, sum } from './figures.ts'
import { Plot } from './plot.tsx'

// The library throws while it is loaded where the language of the browser is odd, such as en-US@posix.
const DayPlot = lazy(() =>
  import('./day-plot.tsx').catch(() => ({
    default: NoPlot as typeof import('./day-plot.tsx').default,
  })),
)

function NoPlot(): ReactNode {
  const { t } = useWords()
  return <p className="dim">{t('statistics.byDay.noPlot')}</p>
}

/** The calls of each day. */
export function CallsByDay({ statistics }: { readonly statistics: Statistics }): ReactNode {
  const { t, number, date } = useWords()
  const days = useMemo(() => daysOf(statistics, Date.now()), [statistics])
  const day = (time: number): string => date(time, { dateStyle: 'medium', timeZone: 'UTC' })
  const names = [t('statistics.done'), t('statistics.failedCalls'), t('statistics.denied')]
  const busy = days.filter(({ done, failed, denied }) => done + failed + denied > 0)
  return (
    <Plot
      title={t('statistics.byDay')}
      span={8}
      legend={['fill-call', 'fill-no', 'fill-mark'].map((fill, at) => [fill, names[at]!] as const)}
      table={{
        columns: [t('statistics.byDay.day'), ...names],
        rows: busy
          .toReversed()
          .map(({ time, done, failed, denied }) => [
            day(time),
            number(done),
            number(failed),
            number(denied),
          ]),
      }}
    >
      <Suspense fallback={<div className="day-plot" />}>
        <DayPlot
          days={days}
          label={t('statistics.byDay.said', {
            from: day(days[0]!.time),
            to: day(days.at(-1)!.time),
            done: number(sum(days, ({ done }) => done)),
            failed: number(sum(days, ({ failed }) => failed)),
            denied: number(sum(days, ({ denied }) => denied)),
          })}
        />
      </Suspense>
    </Plot>
  )
}
