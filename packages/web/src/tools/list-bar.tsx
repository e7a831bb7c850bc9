import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Segments } from '../ui/segments.tsx'
import { useWords } from '../words/words.ts'
import type { ToolFilter, ToolOrder } from './find-tools.ts'

const ORDERS: readonly ToolOrder[] = ['toolkit', 'name', 'parameters', 'used']
const FILTERS: readonly ToolFilter[] = ['all', 'enabled', 'read-only', 'asks']

/** The search, the filter and the order of the tools. */
export function ListBar({
  search,
  setSearch,
  order,
  setOrder,
  filter,
  setFilter,
  total,
  hasCalls,
}: {
  readonly search: string
  readonly setSearch: (search: string) => void
  readonly order: ToolOrder
  readonly setOrder: (order: ToolOrder) => void
  readonly filter: ToolFilter
  readonly setFilter: (filter: ToolFilter) => void
  readonly total: number
  /** True if the number of calls is known. */
  readonly hasCalls: boolean
}): ReactNode {
  const { t } = useWords()
  return (
    <div className="toolbar tablet:flex-wrap">
      <label className="field max-w-80 flex-1 tablet:min-w-[220px] phone:min-w-0" data-find>
        <Icon name="search" />
        <span className="sr-only">{t('tools.search')}</span>
        <input
          type="text"
          value={search}
          placeholder={t('tools.search.count', { count: total })}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setSearch(target.value)}
        />
        <kbd className="phone:hidden!">/</kbd>
      </label>
      <span className="picker-button relative flex-none p-0">
        <select
          className="h-full cursor-pointer appearance-none rounded-[inherit] border-0 bg-transparent py-0 pr-[26px] pl-[9px] text-inherit [font:inherit]"
          aria-label={t('tools.filter')}
          value={filter}
          onChange={({ target }) => setFilter(target.value as ToolFilter)}
        >
          {FILTERS.map((each) => (
            <option key={each} className="bg-panel text-ink" value={each}>
              {t(`tools.filter.${each}`)}
            </option>
          ))}
        </select>
        <Icon name="updown" className="pointer-events-none absolute right-[7px]" />
      </span>
      <span className="min-w-0 flex-1" />
      <Segments
        className="phone:overflow-auto"
        label={t('tools.sort')}
        value={order}
        onChange={setOrder}
        options={ORDERS.map((each) => ({
          value: each,
          label: t(`tools.sort.${each}`),
          disabled: each === 'used' && !hasCalls,
        }))}
      />
    </div>
  )
}
