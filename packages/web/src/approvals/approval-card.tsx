// Folder: Approvals and questions.
import type { CallApproval, CallPart } from '@toolglot/react/view'
import { type MouseEvent, type ReactNode, useId, useMemo, useEffect, useState } from 'react'
import { useFolder } from '../folders/use-folder.ts'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords, type Translate } from '../words/words.ts'
import { AlwaysPanel } from './always-panel.tsx'
import { AnswerStatus, Card, CardBody, Position, useAnswer } from './card.tsx'
import { ApprovalActions } from './approval-actions.tsx'
import { type Choice, type Scope, useAskState } from './ask-state.ts'
import { CallBody } from './call-body.tsx'
import { commandOf, type CallCommand, argumentsText } from './command-of.ts'
import { DiffCounts } from '../ui/diff.tsx'
import { cautionsFor, type Caution } from './look-twice.ts'
import { isExecution } from './pending-part.ts'
import { reasonSentence, addsText, ROWS, rowsOf } from './reasons.ts'
import { NetworkChoice, networkAnswer } from './network-choice.tsx'
import { useGuard } from './use-guard.ts'
import { usePreview } from './use-preview.ts'
import type { DecisionPart } from '@toolglot/permissions'
import { isLongDiff, isLong } from '../ui/diff-page.ts'
import type { Diff } from '../ui/unified-diff.ts'
import { chipClass } from '../ui/chip.tsx'
import { StateIcon } from '../ui/state-icon.tsx'

/** The remaining time, in the largest unit that is precise enough. */
interface TimeLeft {
  readonly unit: 'second' | 'minute' | 'hour' | 'day'
  readonly value: number
  /** The time in milliseconds until the text changes: at least a second. */
  readonly changesIn: number
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** A call as shown by its card. */
export interface ShownCall {
  readonly args: Readonly<Record<string, unknown>>
  readonly parts: readonly DecisionPart[]
  readonly command: CallCommand | undefined
  /** The changes that the call would make, if known; they replace the arguments. */
  readonly diff: Diff | undefined
}

/** The card of a call that waits for approval. */
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
  const cautions = useMemo(() => {
    const { parts, call: decided } = decision
    return cautionsFor({
      name,
      args,
      parts,
      call,
      decided,
      command: found,
      isCut: isCut({ args, parts, command, diff }),
    })
  }, [name, args, decision, call, found, command, diff])
  const isWeak = cautions.length > 0
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
  // The change must be visible before it is allowed.
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
        // Otherwise the key would stop the run.
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
          <StateIcon tone="ask">
            <Icon name="hand" />
          </StateIcon>
          <span className="max-w-[60%] flex-none font-code text-[12.5px] font-620 wrap-anywhere">
            <VisibleText text={name} />
          </span>
          <Headline approval={approval} />
          {preview.state === 'known' && <DiffCounts diff={preview.diff} />}
          <span className="min-w-0 flex-1" />
          <Position position={position} count={count} />
        </>
      }
    >
      <CardBody>
        {isWeak && <LookTwiceBanner cautions={cautions} />}
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
      </CardBody>
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
/** Without a run, “always” cannot apply to the run only. */
const STORED: readonly Scope[] = ['user', 'folder']

/** The file of the call, or the reason for the approval. */
function Headline({ approval: { request } }: { readonly approval: CallApproval }): ReactNode {
  const { t } = useWords()
  const { parts, why } = request.decision
  const [first] = parts
  const { subject } = first ?? {}
  if (parts.length === 1 && subject && 'path' in subject && subject.path !== undefined) {
    return (
      <span className="min-w-0 truncate font-mono text-12">
        <VisibleText text={subject.path} />
      </span>
    )
  }
  return (
    <span className="min-w-0 truncate text-ask">
      <VisibleText text={reasonSentence(why, t)} />
    </span>
  )
}

/** The time left to answer a request. Redrawn only when the text changes. */
function Expiry({ expires }: { readonly expires: number }): ReactNode {
  const { t, number } = useWords()
  const [now, setNow] = useState(Date.now)
  const left = timeLeft(expires - now)
  const changesIn = left?.changesIn
  useEffect(() => {
    if (changesIn === undefined) return
    const timer = setTimeout(() => setNow(Date.now()), changesIn)
    return () => clearTimeout(timer)
  }, [changesIn, now])
  if (!left) return <p className="text-ink-2">{t('approvals.expired')}</p>
  const time = number(left.value, { style: 'unit', unit: left.unit, unitDisplay: 'long' })
  return <p className="text-ink-3 tabular-nums">{t('approvals.expires', { time })}</p>
}

/** True if a call is too long to show at once, so that the user would see only its beginning. */
export function isCut({ args, parts, command, diff }: ShownCall): boolean {
  if (command && isLong(command.text)) return true
  if (rowsOf(parts).length > ROWS) return true
  if (parts.some((part) => isLong(part.what) && addsText(part, command?.text))) return true
  return diff ? isLongDiff(diff) : isLong(argumentsText(args, command))
}

/** The reasons to look twice at a call. */
function LookTwiceBanner({ cautions }: { readonly cautions: readonly Caution[] }): ReactNode {
  const { t } = useWords()
  return (
    <div className="grid gap-1.5 rounded-md border border-ask-line bg-ask-bg px-2.5 py-2 text-ask">
      <div className="cluster">
        <Icon name="hand" />
        <b className="font-600">{t('approvals.lookTwice')}</b>
        <span>{t('approvals.lookTwice.how')}</span>
      </div>
      <ul className="cluster">
        {cautions.map((caution) => (
          <li
            key={caution.type}
            className={chipClass({
              tone: caution.type === 'afterResult' ? 'fake' : 'ask',
              className: `h-auto min-h-[19px] py-px wrap-anywhere whitespace-normal inset-ring ${caution.type === 'afterResult' ? 'inset-ring-fake-line' : 'inset-ring-ask-line'}`,
            })}
          >
            <VisibleText text={sentenceOf(caution, t)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function sentenceOf(caution: Caution, t: Translate): string {
  const key = `approvals.caution.${caution.type}` as const
  switch (caution.type) {
    case 'repaired':
      return t(key, { repairs: caution.repairs.join(', ') })
    case 'unseen':
      return t(key, { name: caution.name })
    case 'confusable':
      return t(key, { word: caution.word.slice(0, 60), letter: caution.letter })
    default:
      return t(key)
  }
}

/** The text of a remaining time; undefined if it has passed. */
export function timeLeft(milliseconds: number): TimeLeft | undefined {
  if (milliseconds <= 0) return undefined
  // Uses a unit only from two on: “90 seconds” is more precise than “1 minute”.
  const [unit, size] = UNITS.find(([, each]) => milliseconds > 2 * each - each / 2) ?? UNITS[3]
  const value = Math.ceil(milliseconds / size)
  const rest = milliseconds - (value - 1) * size
  return { unit, value, changesIn: Math.max(1000, Math.min(rest, size)) }
}
