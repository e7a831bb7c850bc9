import { ApiError, type Client, type ApiAnswer } from '@toolglot/server/client'
import type { RunStatus, PastRun } from '../history/history.ts'
import { addRun, changeSession, makeId, sessions } from './session.ts'
import { readStored, writeStored } from '../../app/stored.ts'
import { isObject } from '../../schema/resolve-schema.ts'
import type { StateTone } from '../../ui/state-icon.tsx'

/** A call that has been started. */
interface Begun {
  readonly id: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly time: number
  /** Its id on the server, once an approval was requested. */
  readonly execution: string | undefined
}

const PREFIX = 'toolglot-sandbox-waiting '

/** The server's answer about a call. */
type Execution = ApiAnswer<'POST /api/tools/execute'>

/** Error types of calls that were not allowed to run. */
const DENIED: ReadonlySet<string | undefined> = new Set(['permission_denied', 'tool_disabled'])

/** A call to execute. */
export interface Call {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The session and folder of a call. */
export interface Place {
  /** The key of its session. */
  readonly key: string
  /** Undefined for the server's own. */
  readonly folder: string | undefined
}

/** The maximum time the server holds a request, in seconds. */
const WAIT = 5
const RETRY = 1500

/**
 * Executes a call as if a model had made it. It continues when the user leaves the view; the result
 * is then in the history.
 */
export async function executeCall(
  client: Client,
  { key, folder }: Place,
  { tool, args }: Call,
): Promise<void> {
  const { run, current } = sessions.get(key)
  if (current) return
  const begun = { id: makeId(), tool, args, time: Date.now(), execution: undefined }
  await follow(client, key, begun, (signal) =>
    client.request('POST /api/tools/execute', {
      body: { tool_name: tool, arguments: args, run, folder },
      signal,
    }),
  )
}

/** Resumes watching the call that waited for an approval when the page was reloaded. */
export async function resumeCall(client: Client, key: string): Promise<void> {
  const kept = readWaiting(key)
  if (!kept || sessions.get(key).current) return
  await follow(client, key, kept, () => nextAnswer(client, kept.execution, 0))
}

/** Shows the progress of a call until it ends, and stores the outcome. */
async function follow(
  client: Client,
  key: string,
  { id, tool, args, time, execution: known }: Begun,
  first: (signal: AbortSignal) => Promise<Execution>,
): Promise<void> {
  const gone = new AbortController()
  let since = performance.now()
  let execution = known
  let isStopped = false
  const stop = (): void => {
    isStopped = true
    // Without an approval request, aborting the HTTP request stops the call; otherwise it runs
    // independently.
    if (execution === undefined) gone.abort()
    else
      client
        .request('DELETE /api/tools/executions/:id', { parameters: { id: execution } })
        // The call has ended meanwhile, or the server is gone: the next request reports it.
        .catch(() => {})
  }
  const begun = { id, tool, args, since: time, execution, request: undefined, stop }
  changeSession(key, { current: begun, error: undefined, shown: undefined })
  const end = (result: Omit<Execution, 'approval'>): void =>
    addRun(key, {
      id,
      tool,
      args,
      time,
      cut: 0,
      duration: performance.now() - since,
      ...outcomeOf(result, isStopped),
    })
  try {
    let answer = await first(gone.signal)
    let started = time
    let wasWaiting = known !== undefined
    while (answer.approval) {
      const { request } = answer.approval
      execution = answer.approval.id
      keepWaiting(key, { id, tool, args, time, execution })
      // The time spent waiting for the user does not count.
      if (wasWaiting && !request) {
        since = performance.now()
        started = Date.now()
      }
      wasWaiting = request !== undefined
      changeSession(key, { current: { ...begun, since: started, execution, request } })
      // Does not hold a request while the user decides, since a browser makes only a few
      // connections.
      if (request) await new Promise((resolve) => setTimeout(resolve, RETRY))
      answer = await nextAnswer(client, execution, request ? 0 : WAIT)
    }
    end(answer)
  } catch (error) {
    const refused = refusalOf(error)
    if (refused) end(refused)
    else if (isStopped) end({ success: false, result: '', exit_code: null })
    // The server has restarted and lost the call.
    else if (known === undefined || isMissing(error))
      changeSession(key, { current: undefined, error: known === undefined ? error : undefined })
    else {
      // The call still waits on the server.
      changeSession(key, { current: undefined, error })
      return
    }
  }
  keepWaiting(key, undefined)
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/**
 * The state of an execution after a change or a few seconds. Retries if the server is temporarily
 * unreachable.
 */
async function nextAnswer(client: Client, id: string, wait = WAIT): Promise<Execution> {
  for (;;) {
    try {
      return await client.request('GET /api/tools/executions/:id', {
        parameters: { id },
        query: { wait },
      })
    } catch (error) {
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY))
    }
  }
}

/** The result of a refused call, if the server could not ask the user or the tool is disabled. */
function refusalOf(error: unknown): Omit<Execution, 'approval'> | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { code, detail } = error
  if (code === 'approval_unavailable') return { success: false, result: detail, exit_code: null }
  return code === 'tool_disabled'
    ? { success: false, result: `${code}: ${detail}`, exit_code: null }
    : undefined
}

/** The appearance of each outcome. */
export const STATUS_LOOK: Readonly<
  Record<RunStatus, { readonly tone: StateTone; readonly icon: 'check' | 'x' | 'slash' | 'stop' }>
> = {
  success: { tone: 'ok', icon: 'check' },
  error: { tone: 'no', icon: 'x' },
  denied: { tone: 'off', icon: 'slash' },
  stopped: { tone: 'off', icon: 'stop' },
}

/** The outcome of a call as reported by the server, with its start and duration measured here. */
export function outcomeOf(
  { success, result, exit_code: exitCode }: Omit<Execution, 'approval'>,
  isStopped: boolean,
): Pick<PastRun, 'status' | 'text' | 'errorType' | 'exitCode'> {
  if (success) return { status: 'success', text: result, exitCode }
  // A failure begins with its type; the output of a command does not.
  const [, errorType, message] =
    exitCode === null ? (/^([a-z_]{1,40}): ([^]*)$/.exec(result) ?? []) : []
  const status = isStopped ? 'stopped' : DENIED.has(errorType) ? 'denied' : 'error'
  if (errorType === undefined) return { status, text: result, exitCode }
  return { status, text: message!, errorType, exitCode }
}

/** The call of this tab that waited for an approval when the user left the page. */
function readWaiting(folder: string): (Begun & { readonly execution: string }) | undefined {
  try {
    const value: unknown = JSON.parse(readStored(PREFIX + folder, 'tab') ?? 'null')
    if (!isObject(value) || !isObject(value['args'])) return undefined
    const { id, tool, args, time, execution } = value
    return typeof id === 'string' &&
      typeof tool === 'string' &&
      typeof time === 'number' &&
      typeof execution === 'string'
      ? { id, tool, args, time, execution }
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Keeps a waiting call; undefined removes it. If storage is full, the call is announced like that
 * of another program.
 */
function keepWaiting(folder: string, call: Begun | undefined): void {
  writeStored(PREFIX + folder, call && JSON.stringify(call), 'tab')
}
