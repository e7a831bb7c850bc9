import { useState, type ReactNode, useEffect } from 'react'
import { CommandText } from '../../approvals/command-text.tsx'
import { PartsTable } from '../../approvals/parts-table.tsx'
import { reasonSentence } from '../../approvals/reasons.ts'
import { RunsAs } from '../../approvals/shell-text.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { VERDICT_CLASS } from './verdict-chip.tsx'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useClient } from '@toolglot/react'
import type { ApiAnswer, ApiInput } from '@toolglot/server/client'
import { useFolder } from '../../folders/use-folder.ts'

const ICONS = { allow: 'check', ask: 'hand', deny: 'slash' } as const

/** The decision about a call, with every judged part. */
export function Explanation({
  explained: { decision },
  text,
}: {
  readonly explained: Explained
  /** The typed text, if parts can be located in it. */
  readonly text: string | undefined
}): ReactNode {
  const [active, setActive] = useState<readonly number[]>([])
  const { parts } = decision
  return (
    <>
      <VerdictLine decision={decision} />
      {text !== undefined && text !== '' && (
        <CommandText {...{ text, parts, active }} onActive={setActive} />
      )}
      <PartsTable parts={parts} whole={text} active={active} onActive={setActive} />
      <RunsAs decision={decision} />
    </>
  )
}

/** The decision about a call and its reason, in one line. */
export function VerdictLine({
  decision: { verdict, what, why, parts },
}: Pick<Explained, 'decision'>): ReactNode {
  const { t } = useWords()
  return (
    <div className={`verdict verdict-${VERDICT_CLASS[verdict]}`} role="status">
      <Icon name={ICONS[verdict]} />
      <span className="min-w-0 wrap-anywhere">
        <b>{t(`approvals.verdict.${verdict}`)}</b>
        {parts.length > 1 && (
          <>
            {' · '}
            <code>
              <VisibleText text={what} />
            </code>
          </>
        )}
        {': '}
        <VisibleText text={reasonSentence(why, t)} />
      </span>
    </div>
  )
}

/** The server's decision about a call, with its reasons. */
export type Explained = ApiAnswer<'POST /api/permit'>
type Question = Omit<ApiInput<'POST /api/permit'>['body'], 'folder'>

/** Asks the server whether a call may run. Nothing is executed. */
export function usePermit(question: Question, enabled = true): UseQueryResult<Explained> {
  const client = useClient()
  const { folder } = useFolder()
  const body = { ...question, folder }
  return useQuery({
    queryKey: ['permit', body],
    queryFn: ({ signal }) => client.request('POST /api/permit', { body, signal }),
    enabled,
    placeholderData: keepPreviousData,
  })
}

/** A value after it has stayed unchanged for a moment, to avoid a request per keystroke. */
export function useSettled<Value>(value: Value, delay = 180): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return settled
}
