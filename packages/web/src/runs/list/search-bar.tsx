import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { RunsSearch } from '../../app/router.tsx'
import type { RunSummary } from '../../app/run-title.ts'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { changeSearch, type SearchChange } from '../selection.ts'
import { FilterPopover } from './filter-popover.tsx'
import { useReasonWord } from './reason-chip.tsx'
import './list.css'

/** What runs can be filtered by, besides what they say. */
export const FILTERS = ['tool', 'model', 'protocol', 'reason'] as const

/** How long somebody types before it is searched for, in milliseconds. */
const PAUSE = 250

/** Search and filters. All of it is in the address. */
export function SearchBar({
  search,
  runs,
}: {
  readonly search: RunsSearch
  /** The runs that are listed: their models and protocols are suggested. */
  readonly runs: readonly RunSummary[]
}): ReactNode {
  const { t } = useWords()
  const word = useReasonWord()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(search.search ?? '')
  const said = search.search ?? ''
  const [sent, setSent] = useState(said)
  const change = (changes: SearchChange): void =>
    void navigate({ to: '.', search: changeSearch(search, changes), replace: true })
  // The address may have come from elsewhere, such as the statistics or the way back.
  const [known, setKnown] = useState(said)
  if (known !== said) {
    setKnown(said)
    if (sent !== said) {
      setSent(said)
      setTyped(said)
    }
  }
  useEffect(() => {
    const text = typed.trim()
    if (text === sent) return
    const timer = setTimeout(() => {
      setSent(text)
      change({ search: text === '' ? undefined : text })
    }, PAUSE)
    return () => clearTimeout(timer)
  })
  const active = FILTERS.filter((name) => search[name] !== undefined)
  return (
    <div className="bar find">
      <label className="field grow" data-find>
        <Icon name="search" />
        <span className="sr">{t('runs.search')}</span>
        <input
          type="search"
          value={typed}
          maxLength={1000}
          placeholder={t('runs.search.placeholder')}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.preventDefault()
            if (typed === '') event.currentTarget.blur()
            else setTyped('')
          }}
        />
        <kbd>/</kbd>
      </label>
      <FilterPopover search={search} runs={runs} change={change} />
      {active.length > 0 && (
        <div className="rowline filters">
          {active.map((name) => (
            <button
              key={name}
              type="button"
              className="chip line"
              title={t('runs.filter.remove')}
              onClick={() => change({ [name]: undefined })}
            >
              <span className="dim">{t(`runs.filter.${name}`)}</span>
              <span className="cut">
                <VisibleText text={name === 'reason' ? word(search[name]!) : search[name]!} />
              </span>
              <Icon name="x" />
              <span className="sr">{t('runs.filter.remove')}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
