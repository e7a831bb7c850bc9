import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { heatMapOf, type Statistics } from './figures.ts'
import { Plot } from './plot.tsx'
import { RunsLink } from './runs-link.tsx'

const MAX_COLUMNS = 6
const MAX_TABLE_COLUMNS = 10
const MAX_MODELS = 8

/** What models get wrong: how often each repair was needed in 100 calls, and how often nothing helped. */
export function WrongCalls({
  statistics: { models },
}: {
  readonly statistics: Statistics
}): ReactNode {
  const { t, number } = useWords()
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  const { repairs, hasOther, rows } = heatMapOf(models, MAX_COLUMNS, MAX_MODELS)
  const whole = heatMapOf(models, MAX_TABLE_COLUMNS, models.length)
  const head = (all: typeof whole): string[] => [
    t('statistics.filter.model'),
    ...all.repairs,
    ...(all.hasOther ? [t('statistics.wrong.other')] : []),
    t('statistics.wrong.notUnderstood'),
  ]
  const cell = (value: number): string => (value === 0 ? '·' : number(value, digits))
  return (
    <Plot
      title={t('statistics.wrong')}
      unit={t('statistics.wrong.unit')}
      span={7}
      table={{
        columns: head(whole),
        rows: whole.rows.map(({ name, cells, malformed }) => [
          name,
          ...[...cells, malformed].map((value) => number(value, digits)),
        ]),
      }}
    >
      <div className="heat scroll" tabIndex={0} role="group" aria-label={t('statistics.wrong')}>
        <table className="num">
          <thead>
            <tr>
              {head({ repairs, hasOther, rows }).map((name, at) => (
                <th key={name} scope="col" title={name}>
                  <span className={at === 0 ? 'sr' : ''}>
                    <VisibleText text={name.replaceAll('-', ' ')} />
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, cells, malformed }) => (
              <tr key={name}>
                <th scope="row">
                  <RunsLink of="model" name={name} />
                </th>
                {[...cells, malformed].map((value, at) => (
                  <td key={at}>
                    <span
                      style={{
                        background: `color-mix(in srgb, var(${at === cells.length ? '--solid-no' : '--solid-wait'}) ${Math.min(45, value * 7).toFixed(0)}%, var(--hover))`,
                      }}
                    >
                      {cell(value)}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Plot>
  )
}
