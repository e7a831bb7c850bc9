import type { CallPart } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { callLook } from '../../chat/rows/call-look.ts'
import { callSubject, writtenSubject } from '../../chat/rows/call-subject.ts'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { WaterRow } from './rows.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { StateIcon } from '../../ui/state-icon.tsx'

const NAME = 'flex min-w-0 items-center gap-[7px] text-12'

/** The name of a row in the waterfall, with an icon for its outcome. */
export function RowName({ row }: { readonly row: WaterRow }): ReactNode {
  const { t } = useWords()
  switch (row.type) {
    case 'turn':
      return (
        <span className={NAME}>
          <StateIcon tone="think" className="w-4">
            <Icon name="brain" />
          </StateIcon>
          <b className="min-w-0 truncate font-560">
            {t('chat.turn', { number: row.item.turn + 1 })}
          </b>
          {row.item.isUnfinished && (
            <span className="min-w-0 truncate text-ink-2">{t('chat.unfinished')}</span>
          )}
        </span>
      )
    case 'call':
      return <CallName part={row.part} />
    case 'group':
      return (
        <span className={`${NAME} pl-5 phone:pl-2.5`}>
          <StateIcon tone="ok" className="w-4">
            <Icon name="check" />
            <span className="sr-only">{t('chat.call.done')}</span>
          </StateIcon>
          <span className="min-w-0 overflow-hidden font-mono text-[11.5px] text-ellipsis whitespace-pre">
            <VisibleText text={countNames(row.calls)} />
          </span>
        </span>
      )
    case 'malformed':
      return (
        <span className={`${NAME} pl-5 phone:pl-2.5`}>
          <StateIcon tone="no" className="w-4">
            <Icon name="x" />
          </StateIcon>
          <span className="min-w-0 overflow-hidden font-mono text-[11.5px] text-ellipsis whitespace-pre">
            {t('runs.notUnderstood')}
          </span>
        </span>
      )
  }
}

function CallName({ part }: { readonly part: CallPart }): ReactNode {
  const { t } = useWords()
  const { glyph, tone, word } = callLook(part)
  const subject = part.call ? callSubject(part.call.args) : writtenSubject(part.written)
  return (
    <span className={`${NAME} pl-5 phone:pl-2.5`}>
      <StateIcon tone={tone} className="w-4">
        {glyph === 'spin' ? <Spinner /> : <Icon name={glyph} />}
        <span className="sr-only">{t(word)}</span>
      </StateIcon>
      <span className="min-w-0 overflow-hidden font-mono text-[11.5px] text-ellipsis whitespace-pre">
        <VisibleText text={part.name.slice(0, 100)} />
        {subject !== undefined && (
          <>
            {'  '}
            <VisibleText text={subject.slice(0, 120)} />
          </>
        )}
      </span>
    </span>
  )
}

/** The tools of a group, in order of their first call: `Read ×3, Grep`. */
function countNames(calls: readonly CallPart[]): string {
  const counts = new Map<string, number>()
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .slice(0, 8)
    .map(([name, count]) => (count === 1 ? name.slice(0, 100) : `${name.slice(0, 100)} ×${count}`))
    .join(', ')
}
