import type { NoticeItem, RunEnd } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { useFormat } from '../format.ts'

/** A notice about the run. */
export function Notice({ item: { notice } }: { readonly item: NoticeItem }): ReactNode {
  const { t } = useWords()
  const { tokens } = useFormat()
  switch (notice.type) {
    case 'warning':
      return (
        <Line icon="hand" kind="ask">
          {notice.message}
        </Line>
      )
    case 'compacted': {
      const { before, after } = notice
      return (
        <Line icon="cube">
          {t('chat.compacted', { before: tokens(before), after: tokens(after) })}
        </Line>
      )
    }
    case 'resumed': {
      const { changed, start } = notice
      const { model, protocol = 'native' } = start
      return (
        <Line icon="redo" {...(changed && { kind: 'ask' })}>
          {changed ? t('chat.resumed.changed', { model, protocol }) : t('chat.resumed')}
        </Line>
      )
    }
  }
}

/** The end of a run without an answer. */
export function Ending({ item }: { readonly item: RunEnd }): ReactNode {
  const { t } = useWords()
  const isWanted = item.reason === 'cancelled' || item.reason === 'interrupted'
  return (
    <Line icon={isWanted ? 'stop' : 'hand'} kind={isWanted ? '' : 'ask'}>
      {t(`chat.end.${item.reason}`)}
      {item.error !== undefined && <span className="block break-words">{item.error}</span>}
    </Line>
  )
}

/** A line with an icon. `ask` uses the warning color. */
export function Line({
  icon,
  kind = '',
  role,
  children,
}: {
  readonly icon: IconName
  readonly kind?: '' | 'ask'
  readonly role?: 'alert'
  readonly children: ReactNode
}): ReactNode {
  return (
    <div
      className={`flex gap-2 text-12 wrap-anywhere [&_svg]:mt-0.5 [&_svg]:size-3.5 ${kind === 'ask' ? 'rounded-md border border-ask-line bg-ask-bg px-3 py-[7px] text-ask' : 'text-ink-2'}`}
      role={role}
    >
      <Icon name={icon} />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
