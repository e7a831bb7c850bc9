import type { CallPart } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { CallDetails } from '../../chat/calls/call-details.tsx'
import { CallEnd, CallHead } from '../../chat/calls/call-head.tsx'
import { callLook } from '../../chat/rows/call-look.ts'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { chipClass } from '../../ui/chip.tsx'
import { TurnPane } from './turn-pane.tsx'

const MAX_RULES = 10

/** A call: its approval, its arguments and its result. */
export function CallPane({
  part,
  onClose,
}: {
  readonly part: CallPart
  readonly onClose: () => void
}): ReactNode {
  const { t } = useWords()
  const look = callLook(part)
  const title = t('runs.call', { tool: part.name })
  const repairs = part.call?.repairs ?? []
  return (
    <TurnPane
      title={title}
      head={
        <>
          <Chip outline mono className="min-w-0 truncate phone:hidden!">
            <VisibleText text={part.id} />
          </Chip>
          <span className="ml-auto tablet:hidden" />
          <IconButton icon="x" label={t('shell.close')} onClick={onClose} />
        </>
      }
    >
      <div className="grid min-h-0 content-start gap-[9px] overflow-auto pb-1 *:min-w-0 [&_.code]:max-h-80">
        <div className="flex min-w-0 items-center gap-2">
          <CallHead part={part} look={look} nameLook="font-580" />
          <span className="ml-auto flex flex-none items-center gap-[7px] text-ink-3">
            <CallEnd part={part} look={look} />
          </span>
        </div>
        <Verdict part={part} />
        {repairs.length > 0 && (
          <p className="text-ink-2">
            <VisibleText text={t('runs.call.repairs', { repairs: repairs.join(', ') })} />
          </p>
        )}
        <CallDetails key={part.id} part={part} look={look} hasArguments />
      </div>
    </TurnPane>
  )
}

/** The approval of the call, and who gave it. */
function Verdict({ part: { approval, outcome } }: { readonly part: CallPart }): ReactNode {
  const { t, date } = useWords()
  const answer = approval?.answer
  if (!approval)
    return (
      <div
        className={`verdict px-2.5 py-1.5 text-12 ${outcome?.status === 'denied' ? 'verdict-no' : ''}`}
      >
        <Icon name={outcome?.status === 'denied' ? 'slash' : 'shield'} />
        {t(outcome?.status === 'denied' ? 'runs.verdict.forbidden' : 'runs.verdict.unasked')}
      </div>
    )
  if (!answer)
    return (
      <div className="verdict verdict-ask px-2.5 py-1.5 text-12">
        <Icon name="hand" />
        {t(outcome ? 'runs.verdict.unanswered' : 'runs.verdict.waits')}
      </div>
    )
  const isAllowed = answer.approval.verdict === 'allow'
  const when = date(answer.time, { timeStyle: 'medium' })
  const { reason } = answer.approval
  return (
    <div className={`verdict px-2.5 py-1.5 text-12 ${isAllowed ? '' : 'verdict-no'}`}>
      <Icon name={isAllowed ? 'check' : 'slash'} />
      <span className="min-w-0 break-words">
        {t(isAllowed ? 'runs.verdict.allowed' : 'runs.verdict.denied', { when })}{' '}
        {reason !== undefined && reason !== '' && <VisibleText text={`“${reason}”`} />}{' '}
        {(answer.rules ?? []).slice(0, MAX_RULES).map((rule) => (
          <code key={rule} className={chipClass({ outline: true, mono: true })}>
            <VisibleText text={rule} />
          </code>
        ))}
      </span>
    </div>
  )
}
