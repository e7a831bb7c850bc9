import {
  type Approval,
  type ApprovalRequest,
  readRules,
  suggestRuleForEach,
} from '@toolglot/permissions'
import { suggestedRules } from '@toolglot/permissions/internal'
import type { CallKey, RecordKey } from '../../journal/keys.ts'
import { type AllowedHosts, isHostName, type NetworkAnswer } from '../../tool/network-answer.ts'
import type { ApprovalQuestion } from '../../tool/require-permission.ts'
import type { ApprovalAnswer, CallOptions } from '../options.ts'
import { StoppedByUser } from '../ends.ts'
import type { CallState } from '../state.ts'
import { askOnce, type WaitRequest } from './ask-person.ts'

/** The answer to an approval request, recorded when the run reads it. */
export interface RecordedApproval
  extends Pick<Approval, 'call' | 'hash'>, Omit<ApprovalAnswer, 'always'> {
  readonly always?: Scope
  /** The rules added for the rest of the run. */
  readonly rules?: readonly string[]
  /** The rules that allowed the call, if no person did. They were added with another answer. */
  readonly allowedBy?: readonly string[]
  /** The reason why the rules could not be stored permanently. */
  readonly problem?: string
}

type Scope = 'run' | 'user' | 'folder'

/**
 * Requests approval for exactly this call, once. Requests for several calls can be pending at the
 * same time and answered in any order. The answer is recorded before it takes effect.
 */
export async function askForApproval(
  state: CallState,
  question: ApprovalQuestion,
  key: CallKey,
  signal: AbortSignal,
): Promise<RecordedApproval> {
  const { call, decision, hash, permissions, network: notice } = question
  const { id: run, fileSystem, options, limits } = state
  const { approvalTimeout } = limits
  const dangerous = state.tools.find(call.name)?.dangerous ?? false
  const suggestions = await suggestRuleForEach(decision, permissions, fileSystem, { dangerous })
  // Includes hosts that were allowed for the rest of the run.
  const network = notice && {
    ...notice,
    reaches: [...new Set([...notice.reaches, ...state.hosts])],
  }
  const request: ApprovalRequest = {
    run,
    call: call.id,
    hash,
    decision,
    always: suggestedRules(suggestions),
    suggestions,
    ...(approvalTimeout !== undefined && { expires: Date.now() + approvalTimeout }),
    ...(network && { network }),
  }
  const { name, args } = call
  const { approve } = options
  const asked: RecordKey = { ...key, type: 'approval', hash: hash.slice(0, 16) }
  await state.steps.withdrawOthers(asked, OUTDATED)
  const answer = await askOnce(state, asked, {
    asked: { type: 'approval', name, args, request },
    inside:
      approve &&
      (async (stop) =>
        (await allowedByNewRules(state, question)) ?? approve({ ...request, name, args }, stop)),
    expired: () => ({
      verdict: 'deny',
      reason: `Nobody answered within ${approvalTimeout! / 1000} seconds.`,
    }),
    read: (given): RecordedApproval | Promise<RecordedApproval> =>
      given instanceof AllowedByRules
        ? { call: call.id, hash, verdict: 'allow', allowedBy: given.rules }
        : storeAllowed(state, readAnswer(given, request, state.steps.requested(asked))),
    signal,
  })
  signal.throwIfAborted()
  if (answer.rules) addRules(state, answer.rules)
  addHosts(state, answer)
  if (answer.verdict === 'deny' && answer.stop) throw new StoppedByUser(answer.reason)
  return answer
}

/** The answer to an outdated request, because the call would now do something else. */
const OUTDATED: ApprovalAnswer = {
  verdict: 'deny',
  reason: 'The effect of the call has changed since, so there is a new request.',
}

/**
 * An answer based on rules instead of a person's decision. It is a class, so that external data
 * cannot imitate it.
 */
class AllowedByRules {
  readonly rules: readonly string[]

  constructor(rules: readonly string[]) {
    this.rules = rules
  }
}

/** The answer if the call is allowed by rules that were added after the request. */
async function allowedByNewRules(
  { tools, permissions: now }: CallState,
  { permissions: asked, allowedBy }: ApprovalQuestion,
): Promise<AllowedByRules | undefined> {
  const { permissions } = tools.executeOptions(now)
  if (permissions.rules.length === asked.rules.length) return undefined
  const rules = await allowedBy(permissions)
  return rules.length > 0 ? new AllowedByRules(rules) : undefined
}

/**
 * Reads an external answer, which may be any data. The call is denied unless the answer clearly
 * allows it. "Always" applies only to rules in the recorded request, which the person has seen.
 */
function readAnswer(
  given: unknown,
  { call, hash, always: suggested }: ApprovalRequest,
  shown: unknown,
): RecordedApproval {
  const { verdict, reason, always, network, stop } = (given ?? {}) as Partial<
    Record<keyof ApprovalAnswer, unknown>
  >
  const scope = always === true ? 'run' : SCOPES.find((each) => each === always)
  const seen = (shown as WaitRequest | null)?.type === 'approval' ? requestShown(shown) : undefined
  const rules = suggested.filter((rule) => seen?.always.includes(rule))
  // A person who did not see the network limit cannot lift it.
  const reach = seen?.network && verdict === 'allow' ? readNetwork(network) : undefined
  return {
    call,
    hash,
    verdict: verdict === 'allow' ? 'allow' : 'deny',
    ...(typeof reason === 'string' && { reason }),
    ...(verdict === 'allow' && scope && rules.length > 0 && { always: scope, rules }),
    ...(reach && { network: reach }),
    ...(stop === true && { stop }),
  }
}

function requestShown(shown: unknown): ApprovalRequest {
  return (shown as { readonly request: ApprovalRequest }).request
}

/** The hosts that a person allowed a call to reach, or undefined if the answer is unclear. */
function readNetwork(given: unknown): NetworkAnswer | undefined {
  if (given === 'once') return given
  const { hosts, always } = (given ?? {}) as Partial<Record<keyof AllowedHosts, unknown>>
  const scope = SCOPES.find((each) => each === always)
  if (!scope || !Array.isArray(hosts) || hosts.length > MAX_HOSTS) return undefined
  const names = hosts.filter((each) => typeof each === 'string' && isHostName(each)) as string[]
  return names.length === hosts.length && names.length > 0
    ? { hosts: names, always: scope }
    : undefined
}

const MAX_HOSTS = 100

const SCOPES: readonly Scope[] = ['run', 'user', 'folder']

/**
 * Stores rules and hosts that are allowed permanently. If that fails, they apply to this run only.
 */
async function storeAllowed(
  { options: { remember } }: CallState,
  answer: RecordedApproval,
): Promise<RecordedApproval> {
  const { rules = [], always, network } = answer
  const store = async (...[allowed, scope]: Remembered): Promise<void> => {
    if (!remember) throw new Error('this run cannot change settings')
    await remember(allowed, scope)
  }
  try {
    if (always !== undefined && always !== 'run') await store({ rules }, always)
    if (typeof network === 'object' && network.always !== 'run')
      await store({ hosts: network.hosts }, network.always)
    return answer
  } catch (error) {
    return { ...answer, problem: error instanceof Error ? error.message : String(error) }
  }
}

type Remembered = Parameters<NonNullable<CallOptions['remember']>>

/** Allows calls of this run to reach the hosts that a person allowed for more than one call. */
function addHosts(state: CallState, { network }: Pick<RecordedApproval, 'network'>): void {
  if (typeof network !== 'object') return
  state.hosts = [...new Set([...state.hosts, ...network.hosts])]
}

/** Adds allow rules in text form for the rest of the run. */
export function addRules(state: CallState, texts: readonly string[]): void {
  const { permissions } = state
  const { rules } = readRules(
    { allow: texts },
    { source: { scope: 'cli' }, tools: permissions.tools },
  )
  state.permissions = { ...permissions, rules: [...permissions.rules, ...rules] }
}
