import {
  type Call,
  type Protocol,
  type ProtocolId,
  protocols,
  type Reply,
  resolveProtocol,
} from '@toolglot/core'
import type { Permissions } from '@toolglot/permissions'
import type { CallResult, CallStatus, Message, ResultsMessage } from '../context/message.ts'
import { untrustedTexts } from '../context/summary.ts'
import { printKey } from '../journal/keys.ts'
import { memoryJournal } from '../journal/memory-journal.ts'
import { defaultLimits } from '../limits.ts'
import { noUsage } from '../model/usage.ts'
import { withoutUndefined } from '../options/without-undefined.ts'
import type { Registry } from '../registry/registry.ts'
import { registryOf } from '../registry/registry-of.ts'
import { permissionsFor } from './approval/run-rules.ts'
import { checkCycleOptions } from './check-options.ts'
import { trustCallsWithoutMarks } from './calls/calls-without-marks.ts'
import type { CallOptions } from './options.ts'
import { type CallState, noCalls, noFileSystem } from './state.ts'
import { Repeats } from './calls/repeats.ts'
import { RunTools } from './calls/run-tools.ts'
import { runTurnCalls, type TurnResults } from './calls/run-turn-calls.ts'
import type { RunCall, RunEvent } from './event.ts'
import { LiveEvents } from './loop/live-events.ts'
import type { CallRecord } from './run-result.ts'
import { createSteps } from './resume/steps.ts'
import { startTelemetry, type Telemetry } from './telemetry/telemetry.ts'
import type { TurnResult } from './turn.ts'
import type { Turn, TurnSegment } from './turn/recorded-turn.ts'

/** The calls to run, and how to run them. */
export interface CycleOptions extends CallOptions {
  /** The model's reply: the result of `turn` or `parse`, or a list of calls. */
  readonly reply: TurnResult | Reply | { readonly calls: readonly GivenCall[] }
  /**
   * The conversation so far, with or without the reply. It is used to skip calls that repeat an
   * earlier call and to require approval for calls dictated by a result. Default: none, so neither
   * is detected.
   */
  readonly messages?: readonly Message[] | undefined
  /**
   * The protocol in which results are printed, if it is a custom one: text that the model copied
   * from them is restored. Default: the protocol in the result of `turn`.
   */
  readonly protocol?: Protocol | ProtocolId | 'native' | undefined
  /** The id of the run, for tools that store state for it. Default: a new id. */
  readonly id?: string | undefined
}

/** A call from any source. Information from a parser, such as `complete: false`, is respected. */
export type GivenCall = Pick<Call, 'name' | 'args'> & Partial<RunCall>

/** The results of the calls in a reply. */
export interface CycleResult {
  /** The results, in a message to add after the reply. */
  readonly message: ResultsMessage
  /** The calls, in the order of the reply. */
  readonly calls: readonly CallRecord[]
  /**
   * The number of calls that were malformed, cut off, or rejected only because of their notation.
   */
  readonly unreadable: number
  /**
   * The number of consecutive repeated calls, including those in the messages: the model may be in
   * a loop.
   */
  readonly repeats: number
  /** True if there were more calls than `limits.maxToolCalls`. */
  readonly isExhausted: boolean
  /** The rules that a person allowed for longer than this cycle. Add them to the permissions. */
  readonly rules: readonly string[]
}

/**
 * Runs the calls in a reply within the limits and permissions: read-only calls in parallel, all
 * others in order. Restores arguments that the model copied from results. Yields events for each
 * step. Invalid options throw immediately; a failed call has a result.
 */
export function cycle(options: CycleOptions): AsyncGenerator<RunEvent, CycleResult> {
  checkCycleOptions(options)
  const registry = registryOf(options)
  const permissions = permissionsFor(options, registry)
  const telemetry = startTelemetry(options.telemetry)
  const id = options.id ?? `cycle-${crypto.randomUUID()}`
  const live = new LiveEvents(id)
  const abandoned = new AbortController()
  return live.during({
    abandoned,
    work: () => runCalls(id, options, { registry, permissions, telemetry }, live, abandoned.signal),
    finish({ message, unreadable, repeats, isExhausted }) {
      const { calls, rules } = live.collector
      return { result: { message, calls, unreadable, repeats, isExhausted, rules } }
    },
  })
}

interface CycleSetup {
  readonly registry: Registry
  readonly permissions: Permissions
  readonly telemetry: Telemetry
}

async function runCalls(
  id: string,
  options: CycleOptions,
  { registry, permissions, telemetry }: CycleSetup,
  live: LiveEvents,
  abandoned: AbortSignal,
): Promise<TurnResults> {
  const { signal: cancelled, messages = [], untrusted = [], protocol: named } = options
  const signal = cancelled ? AbortSignal.any([cancelled, abandoned]) : abandoned
  signal.throwIfAborted()
  const protocol = selectedProtocol(named, options.reply)
  const log = await memoryJournal().open(id)
  const turn = turnOf(options.reply)
  // The events of the calls refer to this event.
  live.learn({
    key: printKey({ type: 'turn', turn: 0 }),
    kind: 'value',
    value: turn,
    time: Date.now(),
  })
  const state: CallState = {
    id,
    // There may be several cycles with the same id.
    hasUniqueKeys: false,
    options,
    limits: { ...defaultLimits, ...registry.resolved.limits, ...options.limits },
    tools: new RunTools(registry),
    format: { protocol, toolsIn: 'prompt', parserOptions: {}, guessed: false },
    fileSystem: options.fileSystem ?? noFileSystem,
    parallel: registry.resolved.parallel,
    steps: createSteps(log, live.onAppend),
    signal,
    release: abandoned,
    telemetry,
    emit: live.emit,
    repeats: earlierCalls(options, registry),
    permissions,
    ...noCalls(),
    untrustedTexts: [...untrusted, ...messages.flatMap(untrustedTexts)],
  }
  try {
    const { text }: AnyReply = options.reply
    const trusted = text === undefined ? turn : trustCallsWithoutMarks(turn, text, protocol)
    const results = await runTurnCalls(state, trusted, 0)
    signal.throwIfAborted()
    await state.steps.flush()
    return results
  } finally {
    await log.close()
  }
}

/** A reply of any kind. */
type AnyReply = Partial<Omit<TurnResult, 'calls'>> & { readonly calls: readonly GivenCall[] }

/** The selected protocol, or else the one that the model was prompted to use, if known. */
function selectedProtocol(named: CycleOptions['protocol'], reply: AnyReply): Protocol | undefined {
  if (named === 'native') return undefined
  if (named !== undefined) return resolveProtocol(named)
  const id = reply.message && reply.protocol
  return id !== undefined && Object.hasOwn(protocols, id) ? protocols[id as ProtocolId] : undefined
}

function turnOf(reply: AnyReply): Turn {
  const ids = new Set<string>()
  const calls = reply.calls.map((each: GivenCall, index): TurnSegment => {
    const { id = `call-${index}`, name, args, ...facts } = each
    // Models reuse ids. The result contains the original id for the caller.
    const call: RunCall = {
      ...GIVEN,
      ...(!reply.message && each.id !== undefined && { modelId: id }),
      ...withoutUndefined(facts),
      name,
      args,
      id: ids.has(id) ? `${id}-${index}` : id,
    }
    ids.add(call.id)
    return { type: 'call', span: call.span, call }
  })
  const { segments = [] } = reply
  const { malformed = segments.filter((each) => each.type === 'malformed') } = reply
  const unread = malformed.map((each): TurnSegment => ({ ...each, type: 'malformed' }))
  return { content: '', segments: [...calls, ...unread], finish: 'stop', usage: noUsage }
}

/** The defaults of a call. */
const GIVEN = {
  protocol: 'none',
  complete: true,
  repairs: [] as readonly string[],
  raw: '',
  span: [0, 0] as const,
}

/** The calls since the last prompt. After a new prompt, every call may be repeated. */
function earlierCalls({ messages = [], duplicates }: CycleOptions, registry: Registry): Repeats {
  const repeats = new Repeats(duplicates)
  const prompt = messages.map(({ role }) => role).lastIndexOf('user')
  for (const message of messages.slice(prompt + 1))
    if (message.role === 'results')
      for (const result of message.results) {
        const { call, output: text, data } = result
        const outcome = { ...result, status: statusOf(result), text, data }
        repeats.record(call, outcome, registry.find(call.name))
      }
  return repeats
}

/** A result from another source has no status. */
function statusOf({ status, failed, invalid }: CallResult): CallStatus {
  return status ?? (invalid ? 'cut_off' : failed ? 'error' : 'success')
}
