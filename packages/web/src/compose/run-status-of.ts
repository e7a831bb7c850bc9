import type { EndReason, Limits } from '@toolglot/agent'
import { type CallPart, callState, type RunView } from '@toolglot/react/view'
import type { ApiAnswer } from '@toolglot/server/client'
import type { InLanguage } from '../words/words.ts'

/** The server's record of a run. */
export interface RunRecord {
  readonly summary: Pick<ApiAnswer<'GET /api/runs/:run'>['summary'], 'state' | 'imported'>
  readonly active: boolean
}

/** Why a run does not continue. */
type StatusReason =
  | Exclude<EndReason, 'answer'>
  /** Part of its journal is lost. */
  | 'corrupt'
  /** It was recorded by another program. */
  | 'imported'
  /** Another process executes it. */
  | 'elsewhere'

/** An action that the user can take. */
type StatusAction = 'continue' | 'limits' | 'model' | 'protocol' | 'new'

/** Why a run does not continue, and the available actions. */
export interface RunStatus {
  readonly reason: StatusReason
  /** The server's message about the reason. */
  readonly detail?: string
  /** The most likely action comes first. */
  readonly actions: readonly StatusAction[]
  /** The calls whose outcome is unknown. */
  readonly unknownOutcomes: readonly CallPart[]
  /** The limit that ended the run. */
  readonly limit?: number
  /** The limits for continuing, if the same ones would end the run at once. */
  readonly limits?: Partial<Limits>
}

/** The reasons that are limits: the run was able to continue. */
export const LIMIT_REASONS: ReadonlySet<StatusReason> = new Set([
  'max_iterations',
  'max_tool_calls',
  'timeout',
  'budget',
])

type Seen = Pick<RunView, 'state' | 'items' | 'end' | 'facts' | 'usage'>

/** Why a run does not continue; undefined if it does, has its answer, or waits for the user. */
export function runStatusOf(view: Seen, record: RunRecord | undefined): RunStatus | undefined {
  const { summary, active = false } = record ?? {}
  if (summary?.imported) return { reason: 'imported', actions: ['new'], unknownOutcomes: [] }
  if (summary?.state === 'corrupt')
    return {
      reason: 'corrupt',
      actions: ['new'],
      unknownOutcomes: callsOfUnknownOutcome(view, true),
    }
  if (view.state === 'working') {
    if (!record || active) return undefined
    if (summary?.state === 'running')
      return { reason: 'elsewhere', actions: [], unknownOutcomes: [] }
    return summary?.state === 'interrupted' ? interrupted(view) : undefined
  }
  if (view.state !== 'ended' || !view.end) return undefined
  const { reason, error } = view.end
  if (reason === 'answer') return undefined
  if (reason === 'interrupted') return active ? undefined : interrupted(view)
  return {
    reason,
    actions: ACTIONS[reason],
    unknownOutcomes: callsOfUnknownOutcome(view, false),
    detail: error !== undefined && HAS_DETAIL.has(reason) ? error : undefined,
    ...limitsOf(reason, view),
  }
}

/** True if a message continues the run although its last event is not an end. */
export function isInterrupted(
  view: Pick<RunView, 'state'>,
  record: RunRecord | undefined,
): boolean {
  return view.state === 'working' && !record?.active && record?.summary.state === 'interrupted'
}

/** True if no process can continue the run. */
export function isReadOnly(record: RunRecord | undefined): boolean {
  return record?.summary.imported === true || record?.summary.state === 'corrupt'
}

function interrupted(view: Seen): RunStatus {
  return {
    reason: 'interrupted',
    actions: ['continue'],
    unknownOutcomes: callsOfUnknownOutcome(view, true),
  }
}

const ACTIONS: Readonly<
  Record<Exclude<EndReason, 'answer' | 'interrupted'>, readonly StatusAction[]>
> = {
  max_iterations: ['continue', 'limits'],
  max_tool_calls: ['continue', 'limits'],
  timeout: ['continue', 'limits'],
  budget: ['continue', 'limits'],
  malformed: ['continue', 'protocol', 'model'],
  loop: ['continue', 'model'],
  cancelled: ['continue'],
  denied: ['continue'],
  model_error: ['continue', 'model'],
  context_overflow: ['model', 'new'],
  storage: ['continue'],
}

/** The page has its own text for all other reasons. */
const HAS_DETAIL: ReadonlySet<EndReason> = new Set([
  'model_error',
  'malformed',
  'storage',
  'context_overflow',
])

function limitsOf(reason: EndReason, { facts, usage }: Seen): Pick<RunStatus, 'limit' | 'limits'> {
  const { maxIterations, maxToolCalls, runTimeout, maxTokens, maxCost } = facts?.limits ?? {}
  const limit = (value: number | undefined): Pick<RunStatus, 'limit'> =>
    value === undefined ? {} : { limit: value }
  if (reason === 'max_iterations') return limit(maxIterations)
  if (reason === 'max_tool_calls') return limit(maxToolCalls)
  if (reason === 'timeout') return limit(runTimeout)
  if (reason !== 'budget') return {}
  // These limits count over the whole run: with the same ones, it would end again at once.
  return {
    limits: {
      maxTokens: maxTokens === undefined ? undefined : usage.input + usage.output + maxTokens,
      maxCost: maxCost === undefined ? undefined : (usage.cost ?? 0) + maxCost,
    },
  }
}

/**
 * The calls of the last turn whose outcome is unknown and that may have changed something.
 * Read-only calls do not record their start. The model already knows about those of earlier turns.
 */
function callsOfUnknownOutcome({ items }: Seen, wasInterrupted: boolean): readonly CallPart[] {
  const last = items.findLast(({ type }) => type === 'turn' || type === 'prompt')
  if (last?.type !== 'turn') return []
  return last.parts.filter((part): part is CallPart => {
    if (part.type !== 'call' || part.late) return false
    const { outcome } = part
    if (outcome) return outcome.status === 'unknown' && outcome.mayHaveChanged === true
    return wasInterrupted && callState(part) === 'running'
  })
}

/** A status in words. */
interface StatusWords {
  readonly title: string
  readonly text: string
  /** The label of the button that continues. */
  readonly resume: string
}

/** The texts for a status. */
export function statusWords(
  { reason, limit, limits }: RunStatus,
  { t, number }: Pick<InLanguage, 't' | 'number'>,
): StatusWords {
  const count = limit ?? 0
  const seconds = number(count / 1000, { style: 'unit', unit: 'second', unitDisplay: 'long' })
  return {
    title: t(`compose.status.${reason}`, { count, seconds }),
    text: t(`compose.status.${reason}.text`),
    resume:
      reason === 'max_iterations' && limit !== undefined
        ? t('compose.status.continue.turns', { count })
        : reason === 'max_tool_calls' && limit !== undefined
          ? t('compose.status.continue.calls', { count })
          : limits?.maxTokens !== undefined || limits?.maxCost !== undefined
            ? t('compose.status.continue.budget')
            : reason === 'model_error' || reason === 'storage'
              ? t('shell.retry')
              : t('compose.status.continue'),
  }
}
