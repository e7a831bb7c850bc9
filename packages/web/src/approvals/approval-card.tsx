import type { CallApproval, CallPart } from '@toolglot/react/view'
import { type MouseEvent, type ReactNode, useId, useMemo } from 'react'
import { useFolder } from '../folders/use-folder.ts'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { AlwaysPanel } from './always-panel.tsx'
import { AnswerStatus } from './answer-status.tsx'
import { ApprovalActions } from './approval-actions.tsx'
import { type Choice, type Scope, useAskState } from './ask-state.ts'
import { CallBody } from './call-body.tsx'
import { Card } from './card.tsx'
import { commandOf } from './command-of.ts'
import { DiffCounts } from '../ui/diff.tsx'
import { Expiry } from './expiry.tsx'
import { isCut } from './is-cut.ts'
import { doubtsAbout } from './look-twice.ts'
import { LookTwiceBanner } from './look-twice-banner.tsx'
import { isExecution } from './pending-part.ts'
import { Position } from './position.tsx'
import { reasonSentence } from './reasons.ts'
import { NetworkChoice, networkAnswer } from './network-choice.tsx'
import { useAnswer } from './use-answer.ts'
import { useGuard } from './use-guard.ts'
import { usePreview } from './use-preview.ts'

/** A call that waits for approval. */
export function ApprovalCard({
  run,
  part,
  approval,
  position,
  count,
}: {
  readonly run: string
  readonly part: CallPart
  readonly approval: CallApproval
  readonly position: number
  readonly count: number
}): ReactNode {
  const { t } = useWords()
  const { key, args, request } = approval
  const { decision, suggestions, expires, network } = request
  const [state, change] = useAskState(run, key)
  const send = useAnswer(run, key)
  const preview = usePreview(run, approval)
  const panel = useId()
  const guard = useGuard(preview.state === 'known' ? preview.text : preview.state)
  const folder = useFolder()
  const { name, call } = part
  const found = useMemo(() => commandOf(args, decision), [args, decision])
  const command = found === 'several' ? undefined : found
  const diff = preview.state === 'known' ? preview.diff : undefined
  const doubts = useMemo(() => {
    const { parts, call: decided } = decision
    return doubtsAbout({
      name,
      args,
      parts,
      call,
      ...(decided && { decided }),
      command: found,
      isCut: isCut({ args, parts, command, diff }),
    })
  }, [name, args, decision, call, found, command, diff])
  const isWeak = doubts.length > 0
  const { sent, reason, isAlwaysOpen } = state
  const isBusy = sent !== undefined && sent.status !== 'failed'
  const scopes = isExecution({ run }) ? STORED : SCOPES
  const scope = scopes.includes(state.scope) ? state.scope : scopes[0]!
  const toggleAlways = (): void => {
    change({ isAlwaysOpen: !isAlwaysOpen })
    requestAnimationFrame(() =>
      document.getElementById(panel)?.scrollIntoView({ block: 'nearest' }),
    )
  }
  const reach = network && networkAnswer(state, network, scopes)
  // There must be something to look at.
  const isReady = guard.isReady && preview.state !== 'loading' && reach !== 'incomplete'
  const answer = (choice: Choice, press: MouseEvent | 'key'): void => {
    if (choice.type !== 'allow') send(choice)
    else if (preview.state !== 'loading' && reach !== 'incomplete')
      guard.allow(press, () => send({ ...choice, ...(reach && { network: reach }) }))
  }

  const onKey = (pressed: string): boolean => {
    if (isBusy) return false
    switch (pressed) {
      case 'y':
        if (!isWeak) answer({ type: 'allow' }, 'key')
        return true
      case 'escape':
        // Elsewhere it stops the run.
        if (isAlwaysOpen) toggleAlways()
        return isAlwaysOpen
      case 'a':
        toggleAlways()
        return true
      case 'n':
        send({ type: 'deny', reason: reason.trim() })
        return true
      case 's':
        send({ type: 'deny', reason: reason.trim(), stop: true })
        return true
      default:
        return false
    }
  }

  return (
    <Card
      call={part.id}
      title={t('approvals.card.call', { tool: name })}
      guard={guard}
      onKey={onKey}
      header={
        <>
          <span className="st ask">
            <Icon name="hand" />
          </span>
          <span className="tool">
            <VisibleText text={name} />
          </span>
          <Headline approval={approval} />
          {preview.state === 'known' && <DiffCounts diff={preview.diff} />}
          <span className="grow" />
          <Position position={position} count={count} />
        </>
      }
    >
      <div className="inner">
        {isWeak && <LookTwiceBanner doubts={doubts} />}
        <CallBody {...{ run, approval, command, preview }} />
        {network && (
          <NetworkChoice
            notice={network}
            chosen={state}
            scopes={scopes}
            onChange={(next) => change({ ...next, ...(!isBusy && { sent: undefined }) })}
            isBusy={isBusy}
          />
        )}
        {isAlwaysOpen && (
          <AlwaysPanel
            id={panel}
            suggestions={suggestions}
            scopes={scopes}
            scope={scope}
            onScope={(next) => change({ scope: next, ...(!isBusy && { sent: undefined }) })}
            onAllow={(press) => answer({ type: 'allow', always: scope }, press)}
            isBusy={isBusy}
            isReady={isReady}
            folder={isExecution({ run }) ? undefined : folder}
          />
        )}
        {expires !== undefined && <Expiry expires={expires} />}
        {sent && <AnswerStatus sent={sent} onRetry={answer} />}
      </div>
      <ApprovalActions
        guard={{ isReady, hasUnseen: guard.hasUnseen }}
        isWeak={isWeak}
        isBusy={isBusy}
        reason={reason}
        onReason={(next) => change({ reason: next })}
        alwaysPanel={panel}
        isAlwaysOpen={isAlwaysOpen}
        onAlways={toggleAlways}
        onAllow={(press) => answer({ type: 'allow' }, press)}
        onDeny={send}
      />
    </Card>
  )
}

const SCOPES: readonly Scope[] = ['run', 'user', 'folder']
/** A call that was executed without a run has none that could end. */
const STORED: readonly Scope[] = ['user', 'folder']

/** The file that the call is about, or why it asks. */
function Headline({ approval: { request } }: { readonly approval: CallApproval }): ReactNode {
  const { t } = useWords()
  const { parts, why } = request.decision
  const [first] = parts
  const { subject } = first ?? {}
  if (parts.length === 1 && subject && 'path' in subject && subject.path !== undefined) {
    return (
      <span className="mono cut path">
        <VisibleText text={subject.path} />
      </span>
    )
  }
  return (
    <span className="why cut">
      <VisibleText text={reasonSentence(why, t)} />
    </span>
  )
}
