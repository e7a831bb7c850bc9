import { useId, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import type { RunsSearch } from '../../app/router.tsx'
import type { RunSummary } from '../../app/run-title.ts'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useWords } from '../../words/words.ts'
import type { SearchChange } from '../selection.ts'
import { REASONS, useReasonWord } from './reason-chip.tsx'

/** Filters runs by tool, model, protocol, and why they ended. */
export function FilterPopover({
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
    <label>
      <span className="label">{t(`runs.filter.${name}`)}</span>
      <input
        className="inp"
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
      className="runfilter"
      trigger={
        <button
          type="button"
          className="icon-btn"
          aria-label={t('runs.filter')}
          title={t('runs.filter')}
        >
          <Icon name="settings" />
        </button>
      }
    >
      <form onSubmit={submit}>
        {text('tool')}
        {text('model')}
        {text('protocol')}
        <label>
          <span className="label">{t('runs.filter.reason')}</span>
          <select className="inp" name="reason" defaultValue={search.reason ?? ''}>
            <option value="">{t('runs.filter.any')}</option>
            {REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {word(reason)}
              </option>
            ))}
          </select>
        </label>
        <div className="rowline">
          <button type="submit" className="btn pri">
            {t('runs.filter.do')}
          </button>
          <button
            type="button"
            className="btn ghost"
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
          </button>
        </div>
      </form>
    </Popover>
  )
}
