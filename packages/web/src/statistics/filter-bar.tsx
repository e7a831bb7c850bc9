import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Picker } from '../ui/picker.tsx'
import { Segments } from '../ui/segments.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { type Key, useWords } from '../words/words.ts'
import type { Statistics } from './figures.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { UseQueryResult } from '@tanstack/react-query'
import type { StatisticsSearch } from '../app/router.tsx'
import { useApi } from '../app/use-api.ts'
import { useFolder } from '../folders/use-folder.ts'
import { Button } from '../ui/button.tsx'

const NAMED: readonly {
  readonly of: 'model' | 'protocol' | 'tool'
  readonly label: Key
  readonly list: 'models' | 'protocols' | 'tools'
}[] = [
  { of: 'model', label: 'statistics.filter.model', list: 'models' },
  { of: 'protocol', label: 'statistics.filter.protocol', list: 'protocols' },
  { of: 'tool', label: 'statistics.filter.tool', list: 'tools' },
]

/** Filters the statistics by model, protocol, tool and folder. */
export function FilterBar({ state }: { readonly state: StatisticsState }): ReactNode {
  const { t } = useWords()
  const { filter, change, setHere, isNarrow, all } = state
  return (
    <div
      className="col-span-full flex flex-wrap items-center gap-2"
      role="group"
      aria-label={t('statistics.filters')}
    >
      {NAMED.map(({ of, label, list }) => (
        <NamePicker
          key={of}
          label={t(label)}
          names={namesIn(all, list)}
          isKnown={all !== undefined}
          value={filter[of]}
          onChange={(name) => change({ [of]: name })}
        />
      ))}
      <Segments
        label={t('statistics.where')}
        value={filter.isHere ? 'here' : 'all'}
        onChange={(where) => setHere(where === 'here')}
        options={[
          { value: 'all', label: t('statistics.where.all') },
          { value: 'here', label: t('statistics.where.here') },
        ]}
      />
      {isNarrow && <ClearButton state={state} />}
    </div>
  )
}

/** Clears the filters. */
export function ClearButton({ state: { change } }: { readonly state: StatisticsState }): ReactNode {
  const { t } = useWords()
  return (
    <Button
      look="ghost"
      small
      onClick={() => change({ tool: undefined, model: undefined, protocol: undefined })}
    >
      <Icon name="x" />
      {t('statistics.filter.clear')}
    </Button>
  )
}

function namesIn(
  statistics: Statistics | undefined,
  list: 'models' | 'protocols' | 'tools',
): readonly string[] {
  return statistics?.[list].map(({ name }) => name) ?? []
}

/** More can be found by typing in Runs. */
const MAX_NAMES = 200
const ANY = 'statistics.any'

function NamePicker({
  label,
  names,
  isKnown,
  value,
  onChange,
}: {
  readonly label: string
  readonly names: readonly string[]
  /** True once the server has sent the names. */
  readonly isKnown: boolean
  readonly value: string | undefined
  readonly onChange: (name: string | undefined) => void
}): ReactNode {
  const { t, number } = useWords()
  const shown = names.slice(0, MAX_NAMES)
  return (
    <Picker
      label={label}
      options={[
        { value: ANY, label: t('statistics.filter.any') },
        ...shown.map((name) => ({
          value: name,
          label: (
            <span className="font-mono">
              <VisibleText text={name} />
            </span>
          ),
        })),
      ]}
      value={value ?? ANY}
      onChange={(name) => onChange(name === ANY ? undefined : name)}
      trigger={
        <button
          type="button"
          className={`picker-button max-w-[280px] ${value === undefined ? '' : 'border-ink-3'}`}
        >
          <span className="text-ink-2">{label}</span>
          <span className={value === undefined ? '' : 'min-w-0 truncate font-mono'}>
            {value === undefined ? (
              isKnown ? (
                t('statistics.filter.all', { count: number(names.length) })
              ) : (
                t('statistics.filter.any')
              )
            ) : (
              <VisibleText text={value} />
            )}
          </span>
          <Icon name="down" />
        </button>
      }
    />
  )
}

const DEFAULT_DAYS = 30
/** The interval for updating the figures, in milliseconds, since runs continue. */
const REFRESH = 15_000

/** The filter in the address of the page. */
interface Filter extends Pick<StatisticsSearch, 'tool' | 'model' | 'protocol'> {
  /** 0: all. */
  readonly days: number
  readonly isHere: boolean
}

/** The figures of the view, the filter, and a function that changes it. */
export interface StatisticsState {
  readonly filter: Filter
  /** True if a tool, model or protocol is selected. */
  readonly isNarrow: boolean
  readonly change: (
    next: Partial<Record<'tool' | 'model' | 'protocol', string | undefined>>,
  ) => void
  readonly setDays: (days: number) => void
  readonly setHere: (isHere: boolean) => void
  readonly query: UseQueryResult<Statistics>
  /** The unfiltered figures, which list the available names. */
  readonly all: Statistics | undefined
}

/** The figures for the filter in the address. */
export function useStatistics(): StatisticsState {
  const search = useSearch({ strict: false }) as StatisticsSearch
  const { tool, model, protocol, days = DEFAULT_DAYS, here = false } = search
  const { path } = useFolder()
  const navigate = useNavigate()
  const only = {
    tool,
    model,
    protocol,
  }
  const scope = {
    days: days > 0 ? Math.min(days, MAX_DAYS) : undefined,
    folder: here && path !== undefined ? path : undefined,
  }
  const options = {
    enabled: !here || path !== undefined,
    refetchInterval: REFRESH,
    keepsLast: true,
  }
  const all = useApi('GET /api/stats', { query: scope }, options)
  const query = useApi('GET /api/stats', { query: { ...scope, ...only } }, options)
  const go = (next: Partial<Record<keyof StatisticsSearch, unknown>>): void => {
    const all = Object.entries({ ...search, ...next }).filter(([, value]) => value !== undefined)
    void navigate({ to: '/statistics', search: Object.fromEntries(all) as StatisticsSearch })
  }
  return {
    filter: { ...only, days, isHere: here },
    isNarrow: Object.values(only).some((name) => name !== undefined),
    change: go,
    setDays: (next) => go({ days: next === DEFAULT_DAYS ? undefined : next }),
    setHere: (isHere) => go({ here: isHere ? true : undefined }),
    query,
    all: all.data,
  }
}

const MAX_DAYS = 36_500
