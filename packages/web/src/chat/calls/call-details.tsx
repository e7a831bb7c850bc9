import type { ToolOutcome } from '@toolglot/agent'
import { type CallPart, callState } from '@toolglot/react/view'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { DiffView } from '../../ui/diff.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import { LiveText } from '../messages/code-block.tsx'
import { type CallLook, callWarnings } from '../rows/call-look.ts'
import { callSubject } from '../rows/call-subject.ts'
import { CallResult } from './call-result.tsx'
import { callChange } from './edit-lines.ts'
import { Button } from '../../ui/button.tsx'
import { Line } from '../messages/notice.tsx'
import { DisclosureArrow } from './bubble.tsx'

/** The details of a call: its arguments, its output while it runs, and its result. */
export function CallDetails({
  part,
  look,
  hasArguments = false,
}: {
  readonly part: CallPart
  readonly look: CallLook
  /** True if all arguments are shown at once. */
  readonly hasArguments?: boolean
}): ReactNode {
  const { t } = useWords()
  const { outcome, late, output } = part
  const state = callState(part)
  if (state === 'writing') return <LiveText text={part.written} label={t('chat.arguments')} />
  const repeated = part.repeats ?? outcome?.repeats
  return (
    <>
      {callWarnings(part).map((warning, at) => (
        <Line key={at} icon="hand" kind="ask">
          <VisibleText text={warning} />
        </Line>
      ))}
      {look.about !== undefined && <p className="text-ink-2">{t(look.about)}</p>}
      {repeated !== undefined && <Repeats id={repeated} />}
      <Arguments part={part} isOpen={hasArguments} />
      {state === 'running' && output !== undefined && output !== '' && (
        <LiveText text={output} label={t('chat.output')} />
      )}
      {outcome && hasResult(outcome) && <CallResult id={part.id} outcome={outcome} />}
      {late && (
        <>
          <p className="text-ink-2">{t('chat.call.late')}</p>
          <CallResult id={`${part.id}-late`} outcome={late} />
        </>
      )}
    </>
  )
}

/** A call that did not end has no result, as opposed to an empty one. */
function hasResult({ status, text, data }: ToolOutcome): boolean {
  return status === 'success' || status === 'error' || text !== '' || data !== undefined
}

function Arguments({
  part,
  isOpen,
}: {
  readonly part: CallPart
  readonly isOpen: boolean
}): ReactNode {
  const { t } = useWords()
  // A single argument is already shown in the line of the call.
  const [isUnfolded, setUnfolded] = useState(
    isOpen || (!part.outcome && Object.keys(part.call?.args ?? {}).length > 1),
  )
  const args = part.outcome?.args ?? part.call?.args
  const data = part.outcome?.data
  const lines = useMemo(() => callChange(args, data), [args, data])
  const text = useMemo(
    () => (isUnfolded && args ? JSON.stringify(args, null, 2) : ''),
    [isUnfolded, args],
  )
  if (!args) return null
  return (
    <>
      {lines && <DiffView diff={{ lines }} label={t('chat.change')} />}
      <div>
        <button
          type="button"
          className="group inline-flex min-h-6 items-center gap-1 text-12 text-ink-2"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <DisclosureArrow />
          {t('chat.arguments')}
        </button>
      </div>
      {isUnfolded && <LongText text={text} label={t('chat.arguments')} />}
    </>
  )
}

function Repeats({ id }: { readonly id: string }): ReactNode {
  const { t } = useWords()
  const { findCall, goToCall } = useChatActions()
  const call = findCall(id)
  const subject = call?.call && callSubject(call.call.args)
  return (
    <div className="cluster">
      <span className="text-ink-2">
        {t('chat.call.repeats', { call: [call?.name ?? id, subject ?? ''].join(' ').trim() })}
      </span>
      {call && (
        <Button small onClick={() => goToCall(id)}>
          {t('chat.call.repeats.show')}
        </Button>
      )}
    </div>
  )
}
