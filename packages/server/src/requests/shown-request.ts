import type { Usage } from '@toolglot/agent'
import type { GatewayReport } from '../gateway/report.ts'
import { safeText } from '../observe/safe-text.ts'

/** A request to the gateway, as displayed. It contains no prompt, reply or arguments. */
export interface ShownRequest {
  readonly id: string
  /** The time of arrival, in milliseconds since 1970. */
  readonly time: number
  /** The API, such as `chat-completions`. */
  readonly api: string
  /** The client's User-Agent. */
  readonly client?: string | undefined
  /** The name of the token. */
  readonly token: string
  readonly stream: boolean
  /** The number of tools offered by the client. */
  readonly tools: number
  /** The requested model. */
  readonly requestedModel?: string | undefined
  /** The model that was used. */
  readonly usedModel?: string | undefined
  /** `native` for native function calling. */
  readonly protocol?: string | undefined
  /** `open`: the request is still being answered. `aborted`: the client disconnected. */
  readonly outcome: 'open' | GatewayReport['outcome']
  /** The error code sent to the client. */
  readonly error?: string | undefined
  /** The error's message without quotes. */
  readonly message?: string | undefined
  readonly calls: number
  /** The names of the called tools, for the first calls. */
  readonly callNames: readonly string[]
  /** The number of times each repair was needed. */
  readonly repairs: readonly { readonly name: string; readonly count: number }[]
  /** The number of malformed calls. */
  readonly malformed: number
  /** The number of retries. */
  readonly retries: number
  readonly usage?: Usage | undefined
  /** The time until the first piece of the reply, in milliseconds. */
  readonly firstByte?: number | undefined
  readonly duration?: number | undefined
  /** Codes for omissions and changes, such as `tools-compact` or `dropped:web_search`. */
  readonly notes: readonly string[]
}

/** The origin and time of a request. */
export interface RequestOrigin {
  readonly id: string
  readonly time: number
  readonly api: string
  /** The User-Agent, as received. */
  readonly userAgent: string | null
  readonly token: string
}

/** The facts about a request that has been parsed or has ended. */
export type RequestFacts = Partial<GatewayReport>

/**
 * The displayed form of a request: strings are shortened, on one line, and without likely secrets.
 */
export function shownRequest(origin: RequestOrigin, facts: RequestFacts = {}): ShownRequest {
  const { id, time, api, userAgent, token } = origin
  const { error, summary, usage, firstByte, duration } = facts
  const { calls = 0, callNames = [], repairs = [], malformed = 0, retries = 0, notes = [] } = facts
  // Copied, because a slice of a string keeps the whole string in memory.
  return structuredClone({
    id,
    time,
    api,
    ...optional('client', userAgent ?? undefined, 120),
    token: safeText(token),
    stream: facts.stream ?? false,
    tools: facts.tools ?? 0,
    ...optional('requestedModel', facts.requestedModel, 200),
    ...optional('usedModel', facts.usedModel, 200),
    ...optional('protocol', facts.protocol, 100),
    outcome: facts.outcome ?? 'open',
    ...optional('error', error, 100),
    ...optional('message', summary, 500),
    calls,
    callNames: callNames.slice(0, MAX_LIST).map((name) => safeText(name)),
    repairs: countsOf(repairs),
    malformed,
    retries,
    ...(usage && { usage }),
    ...(firstByte !== undefined && { firstByte }),
    ...(duration !== undefined && { duration: Math.round(duration) }),
    notes: notes.slice(0, MAX_LIST).map((note) => safeText(note)),
  })
}

const MAX_LIST = 50

function optional<Name extends string>(
  name: Name,
  text: string | undefined,
  maxLength: number,
): { readonly [Key in Name]?: string } {
  if (text === undefined || text === '') return {}
  return { [name]: safeText(text, maxLength) } as { readonly [Key in Name]?: string }
}

function countsOf(names: readonly string[]): ShownRequest['repairs'] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .slice(0, MAX_LIST)
    .map(([name, count]) => ({ name: safeText(name), count }))
    .sort((one, other) => other.count - one.count)
}
