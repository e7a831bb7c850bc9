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
import { Chip } from '../../ui/chip.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { StateIcon } from '../../ui/state-icon.tsx'

/** A call and its appearance. */
interface CallProps {
  readonly part: CallPart
  readonly look: CallLook
}

/** The start of a call's line: its state, tool and subject. */
export function CallHead({
  part,
  look,
  nameLook = `${TOOL} text-call`,
}: CallProps & {
  /** Classes of the tool name. */
  readonly nameLook?: string
}): ReactNode {
  const { t } = useWords()
  const { call, written, name } = part
  const subject = useMemo(
    () => (call ? callSubject(call.args) : writtenSubject(written)),
    [call, written],
  )
  return (
    <>
      <StateIcon tone={look.tone}>
        {look.glyph === 'spin' ? <Spinner /> : <Icon name={look.glyph} />}
        {look.tone === 'ok' && <span className="sr-only">{t(look.word)}</span>}
      </StateIcon>
      <span className={nameLook}>
        <VisibleText text={name.slice(0, 100)} />
      </span>
      {subject !== undefined && (
        <span className={SUBJECT}>
          <VisibleText text={subject} />
        </span>
      )}
    </>
  )
}

/** Classes of a tool name. */
export const TOOL = 'font-code text-[12.5px] font-620'
/** Classes of the subject of a call. */
export const SUBJECT = 'min-w-0 truncate font-code text-12 text-ink-2'

const NOTE = 'max-w-[22em] min-w-0 truncate phone:max-w-[30vw]'

/** The end of a call's line: repairs, exit code and duration. */
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
      {!outcome && note !== undefined && <span className={NOTE}>{note}</span>}
      {repairs.length > 0 && (
        <Chip tone="ask" title={repairs.join(', ')}>
          <Icon name="wrench" />
          <span className="tabular-nums">{repairs.length}</span>
          <span className="sr-only">
            {t('chat.repairs', { count: repairs.length })}: {repairs.join(', ')}
          </span>
        </Chip>
      )}
      {lines && lines.added > 0 && (
        <Chip tone="ok" className="tabular-nums">
          +{lines.added}
        </Chip>
      )}
      {lines && lines.removed > 0 && (
        <Chip tone="no" className="tabular-nums">
          −{lines.removed}
        </Chip>
      )}
      {approval?.answer?.approval.verdict === 'allow' && outcome?.status === 'success' && (
        <span className="text-ink-2 phone:hidden!">
          {t(approval.answer.allowedBy ? 'chat.call.allowed.rule' : 'chat.call.allowed')}
        </span>
      )}
      {isDenied && reason !== undefined && reason !== '' ? (
        <span className={NOTE}>{t('chat.call.denied.because', { reason })}</span>
      ) : (
        exit === undefined && look.tone !== 'ok' && <span>{t(look.word)}</span>
      )}
      {exit !== undefined && (
        <Chip tone={exit === 0 ? 'ok' : 'no'} className="tabular-nums">
          {t('chat.exit', { code: String(exit) })}
        </Chip>
      )}
      {!outcome && started !== undefined && <Elapsed since={started} />}
      {outcome && outcome.started !== null && (
        <span className="tabular-nums">{duration(outcome.duration)}</span>
      )}
    </>
  )
}
