import { useId, useState } from 'react'
import type { ReactNode } from 'react'

import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { IconButton } from '../ui/icon-button.tsx'

/** The data of a plot as a table. The first column is a name. */
export interface PlotTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A plot with a title and a legend, and its data as a table. */
export function Plot({
  title,
  unit,
  legend = [],
  table,
  none,
  span,
  children,
}: {
  readonly title: string
  readonly unit?: string
  /** The classes of the colors with their names. */
  readonly legend?: readonly (readonly [className: string, name: string])[]
  readonly table: PlotTable
  /** The text shown without data. */
  readonly none?: string
  /** The number of columns it spans, out of twelve. */
  readonly span: 4 | 5 | 7 | 8 | 12
  readonly children: ReactNode
}): ReactNode {
  const { t } = useWords()
  const id = useId()
  const [isTable, setTable] = useState(false)
  const toggle = t(isTable ? 'statistics.asPlot' : 'statistics.asTable')
  return (
    <section
      className={`grid min-w-0 content-start gap-2.5 rounded-lg border border-line bg-panel px-3.5 pt-2.5 pb-3 max-[1081px]:col-span-full ${SPANS[span]}`}
      aria-labelledby={id}
    >
      <header className="flex min-h-6 items-center gap-2 phone:flex-wrap">
        <h2 id={id} className="font-580">
          {title}
        </h2>
        <span className="ml-auto flex items-center gap-2.5 text-12 font-400 whitespace-nowrap text-ink-2 phone:flex-wrap">
          {unit !== undefined && <span className="text-ink-3">{unit}</span>}
          {legend.map(([className, name]) => (
            <span key={name}>
              <i className={`mr-[5px] inline-block size-2 rounded-[2px] ${className}`} />
              {name}
            </span>
          ))}
          <IconButton
            icon={isTable ? 'stats' : 'table'}
            label={`${title}: ${t('statistics.asTable')}`}
            aria-pressed={isTable}
            title={toggle}
            onClick={() => setTable(!isTable)}
          />
        </span>
      </header>
      {table.rows.length === 0 ? (
        <p className="text-ink-3">{none ?? t('statistics.none')}</p>
      ) : isTable ? (
        <Table table={table} label={title} />
      ) : (
        children
      )}
    </section>
  )
}

const SPANS = {
  4: 'col-span-4',
  5: 'col-span-5',
  7: 'col-span-7',
  8: 'col-span-8',
  12: 'col-span-full',
} as const

const MAX_ROWS = 40
const CELL = 'border-b border-line py-[3px] pr-2 pl-0 whitespace-nowrap'

function Table({ table, label }: { readonly table: PlotTable; readonly label: string }): ReactNode {
  const { t } = useWords()
  const rows = table.rows.slice(0, MAX_ROWS)
  const others = table.rows.length - rows.length
  return (
    <div
      className="max-h-[260px] min-h-0 overflow-auto overscroll-contain"
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      <table className="text-12">
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={`${CELL} text-right font-540 text-ink-3 first:text-left first:font-400`}
              >
                <VisibleText text={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = '', ...cells], at) => (
            <tr key={at}>
              <th scope="row" className={`${CELL} text-left font-400`}>
                <VisibleText text={name} />
              </th>
              {cells.map((cell, column) => (
                <td key={column} className={`${CELL} text-right tabular-nums`}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && <p className="text-ink-3">{t('statistics.more', { count: others })}</p>}
    </div>
  )
}
