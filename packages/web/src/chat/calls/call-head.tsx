import type { CallPart } from '@toolglot/react/view'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { useFormat } from '../format.ts'
import { type CallLook, exitCode } from '../rows/call-look.ts'
import { callSubject, writtenSubject } from '../rows/call-subject.ts'
import { countLines } from './edit-lines.ts'
import { Elapsed } from './elapsed.tsx'

/** A call and its look. */
interface CallProps {
  readonly part: CallPart
  readonly look: CallLook
}

/** The start of a call's line: its state, its tool, and what it is about. */
export function CallHead({ part, look }: CallProps): ReactNode {
  const { t } = useWords()
  const { call, written, name } = part
  const subject = useMemo(
    () => (call ? callSubject(call.args) : writtenSubject(written)),
    [call, written],
  )
  return (
    <>
      <span className={`st ${look.tone}`}>
        {look.glyph === 'spin' ? <span className="spin" /> : <Icon name={look.glyph} />}
        {look.tone === 'ok' && <span className="sr">{t(look.word)}</span>}
      </span>
      <span className="tool">
        <VisibleText text={name.slice(0, 100)} />
      </span>
      {subject !== undefined && (
        <span className="what cut">
          <VisibleText text={subject} />
        </span>
      )}
    </>
  )
}

/** The end of a call's line: repairs, exit code, and how long it took. */
export function CallEnd({ part, look }: CallProps): ReactNode {
  const { t } = useWords()
  const { duration } = useFormat()
  const { call, outcome, started, note, approval } = part
  const repairs = call?.repairs ?? []
  const exit = exitCode(part)
  const lines = useMemo(
    () => (call && outcome?.status === 'success' ? countLines(call.args) : undefined),
    [call, outcome],
  )
  const reason = approval?.answer?.approval.reason
  const isDenied = outcome?.status === 'denied'
  return (
    <>
      {!outcome && note !== undefined && <span className="cut note">{note}</span>}
      {repairs.length > 0 && (
        <span className="chip ask" title={repairs.join(', ')}>
          <Icon name="wrench" />
          <span className="num">{repairs.length}</span>
          <span className="sr">
            {t('chat.repairs', { count: repairs.length })}: {repairs.join(', ')}
          </span>
        </span>
      )}
      {lines && lines.added > 0 && <span className="chip ok num">+{lines.added}</span>}
      {lines && lines.removed > 0 && <span className="chip no num">−{lines.removed}</span>}
      {approval?.answer?.approval.verdict === 'allow' && outcome?.status === 'success' && (
        <span className="dim wide-only">
          {t(approval.answer.allowedBy ? 'chat.call.allowed.rule' : 'chat.call.allowed')}
        </span>
      )}
      {isDenied && reason !== undefined && reason !== '' ? (
        <span className="cut reason">{t('chat.call.denied.because', { reason })}</span>
      ) : (
        exit === undefined && look.tone !== 'ok' && <span className="word">{t(look.word)}</span>
      )}
      {exit !== undefined && (
        <span className={`chip num ${exit === 0 ? 'ok' : 'no'}`}>
          {t('chat.exit', { code: String(exit) })}
        </span>
      )}
      {!outcome && started !== undefined && <Elapsed since={started} />}
      {outcome && outcome.started !== null && (
        <span className="num">{duration(outcome.duration)}</span>
      )}
    </>
  )
}
