import { type ApprovalRequest, readRuleList, suggestRules } from '@toolglot/permissions'
import { timeLimit } from '../../time/time-limit.ts'
import type { ApprovalQuestion } from '../../tool/require-permission.ts'
import type { Ask } from '../../tool/question.ts'
import type { ApprovalAnswer } from '../options.ts'
import type { LoopState } from '../loop/loop-state.ts'
import { StoppedByUser } from './stopped-by-user.ts'

/** Whether there is somebody to ask. */
export function hasApprover({ options }: LoopState): boolean {
  return options.approve !== undefined || options.attended === true
}

/** Asks a person once for exactly this; the answer is recorded before it counts. */
export async function askForApproval(
  state: LoopState,
  { call, decision, hash, permissions }: ApprovalQuestion,
  key: string,
): Promise<ApprovalAnswer> {
  const { id: run, fileSystem, options, limits, emit, signal } = state
  const { approvalTimeout } = limits
  // The rules are about the tool, whichever name it was called by.
  const own = { ...call, ...decision.call }
  const request: ApprovalRequest = {
    run,
    call: call.id,
    hash,
    decision,
    always: suggestRules(own, permissions, fileSystem),
    ...(approvalTimeout !== undefined && { expires: Date.now() + approvalTimeout }),
  }
  const shown = { ...request, name: call.name, args: call.args }
  const answer: unknown = await oneByOne(state, () => {
    emit({ type: 'approval-request', request, name: call.name, args: call.args })
    return inTime(state, approvalTimeout, (stop) =>
      state.steps.wait<unknown>(
        `${key}/approval/${hash.slice(0, 16)}`,
        options.approve && (() => options.approve!(shown, stop)),
        stop,
      ),
    )
  })
  signal.throwIfAborted()
  const said = saidBy(answer)
  const { verdict, reason } = said
  emit({
    type: 'approval',
    approval: { run, call: call.id, hash, verdict, ...(reason !== undefined && { reason }) },
  })
  if (verdict === 'allow' && said.always) allowAlways(state, request.always)
  if (verdict === 'deny' && said.stop) throw new StoppedByUser(reason)
  return said
}

/** What somebody outside said may be anything: what is not clearly a yes is a no. */
function saidBy(answer: unknown): ApprovalAnswer {
  const { verdict, reason, always, stop } = (answer ?? {}) as Partial<
    Record<keyof ApprovalAnswer, unknown>
  >
  return {
    verdict: verdict === 'allow' ? 'allow' : 'deny',
    ...(typeof reason === 'string' && { reason }),
    ...(always === true && { always }),
    ...(stop === true && { stop }),
  }
}

async function inTime(
  { signal }: LoopState,
  limit: number | undefined,
  wait: (stop: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  if (limit === undefined) return wait(signal)
  const over = timeLimit(limit, signal)
  try {
    return await wait(over.signal)
  } catch (error) {
    if (!over.signal.aborted || signal.aborted) throw error
    return { verdict: 'deny', reason: `Nobody answered within ${limit / 1000} seconds.` }
  } finally {
    over.end()
  }
}

function allowAlways(state: LoopState, texts: readonly string[]): void {
  const { permissions } = state
  const { rules } = readRuleList(texts, 'allow', { scope: 'cli' }, permissions.tools)
  state.permissions = { ...permissions, rules: [...permissions.rules, ...rules] }
}

/** A tool's own questions; undefined where nobody would answer. */
export function createAsk(state: LoopState, call: string, key: string): Ask | undefined {
  const { steps, options, emit } = state
  if (!options.ask && !options.attended) return undefined
  return (questions, signal) =>
    oneByOne(state, async () => {
      emit({ type: 'question', call, questions })
      const answers = await steps.wait(
        `${key}/question`,
        options.ask && ((stop) => options.ask!(questions, stop)),
        signal,
      )
      emit({ type: 'answer', call, answers })
      return answers
    })
}

/** A person is asked one thing after the other. */
async function oneByOne<Value>(state: LoopState, ask: () => Promise<Value>): Promise<Value> {
  const before = state.pendingQuestion
  const asked = before.then(ask)
  state.pendingQuestion = asked.then(
    () => {},
    () => {},
  )
  return asked
}
