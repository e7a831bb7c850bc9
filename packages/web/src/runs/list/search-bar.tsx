import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode, useId, type FormEvent } from 'react'
import type { RunsSearch } from '../../app/router.tsx'
import type { RunSummary } from '../../app/use-runs.ts'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { changeSearch, type SearchChange } from '../selection.ts'
import { useReasonWord, REASONS } from './reason-chip.tsx'
import { Popover } from '../../ui/popover.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Button } from '../../ui/button.tsx'
import { chipClass } from '../../ui/chip.tsx'

/** The filters of runs, besides the search text. */
export const FILTERS = ['tool', 'model', 'protocol', 'reason'] as const

/** The pause in typing before the search, in milliseconds. */
const PAUSE = 250

/** Search and filters. All values are in the address. */
export function SearchBar({
  search,
  runs,
}: {
  readonly search: RunsSearch
  /** The listed runs, whose models and protocols are suggested. */
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
  // The address may have changed elsewhere, such as by a link or the Back button.
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
    <div className="toolbar flex-wrap px-3.5">
      <label className="field flex-1" data-find>
        <Icon name="search" />
        <span className="sr-only">{t('runs.search')}</span>
        <input
          className="[&::-webkit-search-cancel-button]:hidden"
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
        <div className="cluster basis-full gap-[5px]">
          {active.map((name) => (
            <button
              key={name}
              type="button"
              className={chipClass({ outline: true, className: 'h-[22px] max-w-full' })}
              title={t('runs.filter.remove')}
              onClick={() => change({ [name]: undefined })}
            >
              <span className="text-ink-2">{t(`runs.filter.${name}`)}</span>
              <span className="min-w-0 truncate">
                <VisibleText text={name === 'reason' ? word(search[name]!) : search[name]!} />
              </span>
              <Icon name="x" />
              <span className="sr-only">{t('runs.filter.remove')}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** Filters runs by tool, model, protocol and end reason. */
function FilterPopover({
  search,
  runs,
  change,
}: {
  readonly search: RunsSearch
  readonly runs: readonly RunSummary[]
  readonly change: (changes: SearchChange) => void
}): ReactNode {
  const { t } = useWords()
  const word = useReasonWord()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const valueOf = (name: string): string | undefined => {
      const value = fields.get(name)
      return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
    }
    setOpen(false)
    change({
      tool: valueOf('tool'),
      model: valueOf('model'),
      protocol: valueOf('protocol'),
      reason: valueOf('reason'),
    })
  }
  const known = (name: 'model' | 'protocol'): readonly string[] =>
    [...new Set(runs.flatMap((run) => run[name] ?? []))].sort().slice(0, 100)
  const text = (name: 'tool' | 'model' | 'protocol'): ReactNode => (
    <label className="grid gap-[3px]">
      <span className="label">{t(`runs.filter.${name}`)}</span>
      <input
        className="input"
        name={name}
        defaultValue={search[name] ?? ''}
        maxLength={1000}
        list={`${id}${name}`}
        autoComplete="off"
      />
      {name !== 'tool' && (
        <datalist id={`${id}${name}`}>
          {known(name).map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </label>
  )
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      label={t('runs.filter')}
      className="w-[280px] px-3.5 py-[13px]"
      trigger={<IconButton icon="settings" label={t('runs.filter')} large />}
    >
      <form className="grid gap-[9px]" onSubmit={submit}>
        {text('tool')}
        {text('model')}
        {text('protocol')}
        <label className="grid gap-[3px]">
          <span className="label">{t('runs.filter.reason')}</span>
          <select className="input" name="reason" defaultValue={search.reason ?? ''}>
            <option value="">{t('runs.filter.any')}</option>
            {REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {word(reason)}
              </option>
            ))}
          </select>
        </label>
        <div className="cluster">
          <Button type="submit" look="primary">
            {t('runs.filter.do')}
          </Button>
          <Button
            look="ghost"
            onClick={() => {
              setOpen(false)
              change({
                tool: undefined,
                model: undefined,
                protocol: undefined,
                reason: undefined,
              })
            }}
          >
            {t('runs.filter.clear')}
          </Button>
        </div>
      </form>
    </Popover>
  )
}
