import type { CallPart } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { useChatActions } from '../chat-actions.ts'
import { useFormat } from '../format.ts'
import { callLook } from '../rows/call-look.ts'
import { Bubble, HOVERED, SUMMARY, SummaryEnd } from './bubble.tsx'
import { CallDetails } from './call-details.tsx'
import { CallEnd, CallHead, TOOL } from './call-head.tsx'
import { Chip } from '../../ui/chip.tsx'
import { StateIcon } from '../../ui/state-icon.tsx'

/** The maximum number of tools listed for a group. */
const MAX_TOOLS = 4

/** Calls that need no attention, in one line. The rows of its calls follow it. */
export function GroupHead({
  id,
  calls,
  isUnfolded,
}: {
  readonly id: string
  readonly calls: readonly CallPart[]
  readonly isUnfolded: boolean
}): ReactNode {
  const { t, number } = useWords()
  const { unfold } = useChatActions()
  const { duration } = useFormat()
  const { tools, repairs, repairCount, queued, notRun, ...facts } = groupFacts(calls)
  const isDone = queued === 0 && notRun === 0
  return (
    <div
      className={`overflow-hidden border border-call-line bg-call-bg ${isUnfolded ? 'rounded-t-lg' : 'rounded-lg'}`}
    >
      <button
        type="button"
        className={`${SUMMARY} ${HOVERED} min-h-[34px] px-2.5 py-1`}
        aria-expanded={isUnfolded}
        onClick={() => unfold(id, !isUnfolded)}
      >
        <StateIcon tone={isDone ? 'ok' : 'off'}>
          <Icon name={isDone ? 'check' : queued > 0 ? 'clock' : 'slash'} />
          {isDone && <span className="sr-only">{t('chat.call.done')}</span>}
        </StateIcon>
        <span className="min-w-0 truncate">
          {tools.slice(0, MAX_TOOLS).map(([name, count]) => (
            <span key={name} className="[&+*]:ml-2.5">
              <span className={`${TOOL} text-call`}>
                <VisibleText text={name.slice(0, 60)} />
              </span>
              <span className="ml-2 font-code text-12 text-ink-2 tabular-nums">
                {t('chat.group.count', { count, calls: number(count) })}
              </span>
            </span>
          ))}
          {tools.length > MAX_TOOLS && (
            <span className="font-code text-12 text-ink-2">
              {t('chat.group.more', { count: tools.length - MAX_TOOLS })}
            </span>
          )}
        </span>
        <SummaryEnd>
          {queued > 0 && (
            <span className="tabular-nums">
              {t('chat.group.queued', { calls: number(queued) })}
            </span>
          )}
          {notRun > 0 && (
            <span className="tabular-nums">
              {t('chat.group.notRun', { calls: number(notRun) })}
            </span>
          )}
          {repairCount > 0 && (
            <Chip tone="ask" title={repairs.join(', ')}>
              <Icon name="wrench" />
              {t('chat.repairs', { count: repairCount })}
            </Chip>
          )}
          {facts.duration > 0 && <span className="tabular-nums">{duration(facts.duration)}</span>}
        </SummaryEnd>
      </button>
    </div>
  )
}

/** A call in an unfolded group. */
export function GroupedCall({
  id,
  part,
  isLast,
  isUnfolded = false,
}: {
  readonly id: string
  readonly part: CallPart
  readonly isLast: boolean
  readonly isUnfolded: boolean | undefined
}): ReactNode {
  const look = callLook(part)
  return (
    <Bubble
      id={id}
      place={isLast ? 'last' : 'grouped'}
      isUnfolded={isUnfolded}
      head={<CallHead part={part} look={look} />}
      end={<CallEnd part={part} look={look} />}
    >
      <CallDetails part={part} look={look} />
    </Bubble>
  )
}

/** The summary of a folded group of calls. */
interface GroupFacts {
  /** The tools with their number of calls, most frequent first. */
  readonly tools: readonly (readonly [name: string, count: number])[]
  /** The names of all repairs. */
  readonly repairs: readonly string[]
  readonly repairCount: number
  /** The total duration of the calls in milliseconds. */
  readonly duration: number
  readonly queued: number
  /** The number of calls that ended without being run. */
  readonly notRun: number
}

const known = new WeakMap<readonly CallPart[], GroupFacts>()

/** Summarizes the calls of a group. */
export function groupFacts(calls: readonly CallPart[]): GroupFacts {
  let facts = known.get(calls)
  if (!facts) known.set(calls, (facts = count(calls)))
  return facts
}

function count(calls: readonly CallPart[]): GroupFacts {
  const tools = new Map<string, number>()
  const repairs = new Set<string>()
  let repairCount = 0
  let duration = 0
  let queued = 0
  let notRun = 0
  for (const { name, call, outcome } of calls) {
    tools.set(name, (tools.get(name) ?? 0) + 1)
    if (call && call.repairs.length > 0) {
      for (const repair of call.repairs) repairs.add(repair)
      repairCount += call.repairs.length
    }
    duration += outcome?.duration ?? 0
    if (!outcome) queued++
    else if (outcome.status !== 'success') notRun++
  }
  const sorted = [...tools].sort((one, other) => other[1] - one[1])
  return { tools: sorted, repairs: [...repairs], repairCount, duration, queued, notRun }
}
