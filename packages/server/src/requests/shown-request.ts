import type { Usage } from '@toolglot/agent'
import type { GatewayReport } from '../gateway/report.ts'
import { safeText } from '../observe/safe-text.ts'

/** A request to the gateway, as people see it. It contains no prompt, no reply and no arguments. */
export interface ShownRequest {
  readonly id: string
  /** When it came, in milliseconds since 1970. */
  readonly time: number
  /** The API, such as `chat-completions`. */
  readonly api: string
  /** The client's User-Agent. */
  readonly client?: string | undefined
  /** The name of the token. */
  readonly token: string
  readonly stream: boolean
  /** How many tools the client offered. */
  readonly tools: number
  /** The model that the client asked for. */
  readonly requestedModel?: string | undefined
  /** The model that was asked. */
  readonly usedModel?: string | undefined
  /** `native` for native function calling. */
  readonly protocol?: string | undefined
  /** `open`: it is being answered. `aborted`: the client went away. */
  readonly outcome: 'open' | GatewayReport['outcome']
  /** The code of the error that the client was sent. */
  readonly error?: string | undefined
  /** The error's message, without quoting anything. */
  readonly message?: string | undefined
  readonly calls: number
  /** The names of the tools that were called, of the first calls. */
  readonly callNames: readonly string[]
  /** How often each repair was needed. */
  readonly repairs: readonly { readonly name: string; readonly count: number }[]
  /** How many calls could not be read. */
  readonly malformed: number
  /** How often the model was asked again. */
  readonly retries: number
  readonly usage?: Usage | undefined
  /** Until the first piece of the reply, in milliseconds. */
  readonly firstByte?: number | undefined
  readonly duration?: number | undefined
  /** Names of what was left out or changed, such as `tools-compact` or `dropped:web_search`. */
  readonly notes: readonly string[]
}

/** Where a request came from, and when. */
export interface RequestOrigin {
  readonly id: string
  readonly time: number
  readonly api: string
  /** As it came. */
  readonly userAgent: string | null
  readonly token: string
}

/** The facts about a request once it was read, or has ended. */
export type RequestFacts = Partial<GatewayReport>

/** A text of a request for people: cut, on one line, and without likely secrets. */
export function shownRequest(origin: RequestOrigin, facts: RequestFacts = {}): ShownRequest {
  const { id, time, api, userAgent, token } = origin
  const { error, summary, usage, firstByte, duration } = facts
  const { calls = 0, callNames = [], repairs = [], malformed = 0, retries = 0, notes = [] } = facts
  // A copy, because a part of a text keeps all of it in memory.
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
