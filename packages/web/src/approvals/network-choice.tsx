import type { ApprovalAnswer } from '@toolglot/agent'
import type { NetworkNotice } from '@toolglot/permissions'
import { type ReactNode, useId } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Segments } from '../ui/segments.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { AskState, Reach, Scope } from './ask-state.ts'

type Chosen = Pick<AskState, 'reach' | 'hosts' | 'hostScope'>

/** The network access of the call, with alternatives. */
export function NetworkChoice({
  notice: { reaches, suggested },
  chosen: { reach, hosts = suggested.join(' '), hostScope },
  scopes,
  onChange,
  isBusy,
}: {
  readonly notice: NetworkNotice
  readonly chosen: Chosen
  readonly scopes: readonly Scope[]
  readonly onChange: (change: Partial<Chosen>) => void
  readonly isBusy: boolean
}): ReactNode {
  const { t } = useWords()
  const about = useId()
  return (
    <div className="grid grid-cols-1 gap-[7px]">
      <div className="cluster">
        <Icon name="globe" />
        <span>{t('approvals.network')}</span>
        <Segments<Reach>
          className="flex-wrap"
          value={reach}
          onChange={(next) => !isBusy && onChange({ reach: next })}
          label={t('approvals.network')}
          options={REACHES.map((value) => ({
            value,
            label: t(
              value === 'sandbox' && reaches.length > 0
                ? 'approvals.network.some'
                : `approvals.network.${value}`,
            ),
          }))}
        />
        {reach === 'hosts' && (
          <Segments
            className="flex-wrap"
            value={scopes.includes(hostScope) ? hostScope : scopes[0]!}
            onChange={(next) => !isBusy && onChange({ hostScope: next })}
            label={t('approvals.network.where')}
            options={scopes.map((value) => ({ value, label: t(`approvals.always.${value}`) }))}
          />
        )}
      </div>
      {reach === 'hosts' && (
        <label className="field">
          <span className="sr-only">{t('approvals.network.names')}</span>
          <input
            value={hosts}
            disabled={isBusy}
            maxLength={2000}
            spellCheck={false}
            placeholder="registry.npmjs.org"
            aria-describedby={about}
            onChange={(event) => onChange({ hosts: event.target.value })}
          />
        </label>
      )}
      <p className="text-ink-2" id={about}>
        {t(`approvals.network.${reach}.about`)}{' '}
        {reach === 'sandbox' && reaches.length > 0 && <VisibleText text={reaches.join(', ')} />}
      </p>
    </div>
  )
}

const REACHES: readonly Reach[] = ['sandbox', 'once', 'hosts']

/** The answer for the user's choice; `incomplete` if it contains no hosts. */
export function networkAnswer(
  { reach, hosts, hostScope }: Chosen,
  { suggested }: NetworkNotice,
  scopes: readonly Scope[],
): ApprovalAnswer['network'] | 'incomplete' {
  if (reach === 'sandbox') return undefined
  if (reach === 'once') return 'once'
  const names = (hosts ?? suggested.join(' ')).split(/[\s,]+/).filter((name) => name !== '')
  const always = scopes.includes(hostScope) ? hostScope : scopes[0]!
  return names.length > 0 ? { hosts: names, always } : 'incomplete'
}
