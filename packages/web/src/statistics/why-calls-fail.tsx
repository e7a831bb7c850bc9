import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { Bars } from './bars.tsx'
import { addCounts, type Statistics, totalsOf } from './figures.ts'
import { Plot } from './plot.tsx'

const MAX_BARS = 8

/** Why calls fail: the types of errors, what was denied, and what was not understood. */
export function WhyCallsFail({ statistics }: { readonly statistics: Statistics }): ReactNode {
  const { t, number } = useWords()
  const { denied, malformed } = totalsOf(statistics)
  const reasons = [
    ...addCounts(statistics.tools.map(({ errors }) => errors)).map((each) => ({
      ...each,
      key: ` ${each.name}`,
      fill: 'fill-no',
      isOurs: false,
    })),
    {
      key: 'denied',
      name: t('statistics.why.denied'),
      count: denied,
      fill: 'fill-mark',
      isOurs: true,
    },
    {
      key: 'malformed',
      name: t('statistics.why.notUnderstood'),
      count: malformed,
      fill: 'fill-no',
      isOurs: true,
    },
  ]
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
  return (
    <Plot
      title={t('statistics.why')}
      span={4}
      table={{
        columns: [t('statistics.why.reason'), t('statistics.why.count')],
        rows: reasons.map(({ name, count }) => [name, number(count)]),
      }}
      none={t('statistics.why.nothing')}
    >
      <Bars
        max={reasons[0]?.count ?? 1}
        bars={reasons.slice(0, MAX_BARS).map(({ key, name, count, fill, isOurs }) => ({
          key,
          name: (
            <span className={`cut plot-name ${isOurs ? '' : 'mono'}`}>
              <VisibleText text={name} />
            </span>
          ),
          parts: [[fill, count]],
          end: number(count),
        }))}
      />
    </Plot>
  )
}
