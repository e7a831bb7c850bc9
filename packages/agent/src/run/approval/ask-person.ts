import { type ApprovalRequest, readRules, suggestRules } from '@toolglot/permissions'
import { timeLimit } from '../../time/time-limit.ts'
import type { ApprovalQuestion } from '../../tool/require-permission.ts'
import type { Ask } from '../../tool/question.ts'
import type { ApprovalAnswer } from '../options.ts'
import type { LoopState } from '../loop/loop-state.ts'
import { StoppedByUser } from './stopped-by-user.ts'

/** Whether there is somebody who can approve calls. */
export function hasApprover({ options }: LoopState): boolean {
  return options.approve !== undefined || options.attended === true
}

/** Asks a person once about exactly this call. The answer is recorded before it takes effect. */
export async function askForApproval(
  state: LoopState,
  { call, decision, hash, permissions }: ApprovalQuestion,
  key: string,
): Promise<ApprovalAnswer> {
  const { id: run, fileSystem, options, limits, emit, signal } = state
  const { approvalTimeout } = limits
  // Rules apply to the tool, not to the alias that it was called by.
  const canonical = { ...call, ...decision.call }
  const request: ApprovalRequest = {
    run,
    call: call.id,
    hash,
    decision,
    always: suggestRules(canonical, permissions, fileSystem),
    ...(approvalTimeout !== undefined && { expires: Date.now() + approvalTimeout }),
  }
  const shown = { ...request, name: call.name, args: call.args }
  const recorded: unknown = await oneByOne(state, () => {
    emit({ type: 'approval-request', request, name: call.name, args: call.args })
    return withTimeout(state, approvalTimeout, (stop) =>
      state.steps.wait<unknown>(
        `${key}/approval/${hash.slice(0, 16)}`,
        options.approve && (() => options.approve!(shown, stop)),
        stop,
      ),
    )
  })
  signal.throwIfAborted()
  const answer = parseAnswer(recorded)
  const { verdict, reason } = answer
  emit({
    type: 'approval',
    approval: { run, call: call.id, hash, verdict, ...(reason !== undefined && { reason }) },
  })
  if (verdict === 'allow' && answer.always) allowAlways(state, request.always)
  if (verdict === 'deny' && answer.stop) throw new StoppedByUser(reason)
  return answer
}

/** An answer from outside can be any data: whatever does not clearly allow denies. */
function parseAnswer(answer: unknown): ApprovalAnswer {
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

async function withTimeout(
  { signal }: LoopState,
  limit: number | undefined,
  wait: (stop: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  if (limit === undefined) return wait(signal)
  const deadline = timeLimit(limit, signal)
  try {
    return await wait(deadline.signal)
  } catch (error) {
    if (!deadline.signal.aborted || signal.aborted) throw error
    return { verdict: 'deny', reason: `Nobody answered within ${limit / 1000} seconds.` }
  } finally {
    deadline.end()
  }
}

function allowAlways(state: LoopState, texts: readonly string[]): void {
  const { permissions } = state
  const { rules } = readRules(
    { allow: texts },
    { source: { scope: 'cli' }, tools: permissions.tools },
  )
  state.permissions = { ...permissions, rules: [...permissions.rules, ...rules] }
}

/** Lets a tool ask its own questions; undefined if nobody would answer. */
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

/** Asks a person one question at a time. */
async function oneByOne<Value>(state: LoopState, ask: () => Promise<Value>): Promise<Value> {
  const answered = state.pendingQuestion.then(ask)
  state.pendingQuestion = answered.then(
    () => {},
    () => {},
  )
  return answered
}
