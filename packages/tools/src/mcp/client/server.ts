import { pathToFileURL } from 'node:url'
import type {
  CallToolResult,
  Client,
  Progress as Update,
  Tool as ListedTool,
} from '@modelcontextprotocol/client'
import { type Ask, type ToolContext, ToolError } from '@toolglot/agent'
import { unlessAborted } from '@toolglot/agent/internal'
import { type McpServer, type Connection, openConnection } from './connection.ts'
import type { Host } from '../../host/host.ts'
import type { Environment } from '../../process/environment.ts'
import { cleanText, withFullStop } from './clean-text.ts'
import { elicit } from './elicit.ts'
import { failureOf, messageOf } from './failure.ts'

/** Options for `createServer`. */
export interface ServerOptions {
  readonly host: Pick<Host, 'fileSystem' | 'ask'>
  readonly environment: Environment
  readonly version: string
  /** The time limit for starting, in milliseconds. */
  readonly startTimeout: number
  /** Called with the list of tools, at the start and after changes. */
  readonly onTools: (tools: readonly ListedTool[]) => Promise<void>
}

/** A server that is started on demand, and restarted a limited number of times if it ends. */
export interface Server {
  readonly name: string
  /**
   * Waits until it is connected and its tools are up to date. Returns a function for calling them.
   */
  ready(signal?: AbortSignal): Promise<Call>
  close(): Promise<void>
}

/** Calls a tool by its name on the server. */
export type Call = (
  tool: string,
  args: Record<string, unknown>,
  context: ToolContext,
  timeout: number,
) => Promise<CallToolResult>

/** A running call, during which the server may ask the user. */
interface InFlight {
  readonly ask: Ask | undefined
  readonly over: AbortController
  questions: number
}

/** The maximum number of starts without a successful call in between. */
const MAX_STARTS = 4
/** The maximum number of questions to the user during a call. */
const MAX_QUESTIONS = 5
const MAX_REASON_LENGTH = 3000

/** Creates a server without starting it. */
export function createServer(name: string, settings: McpServer, options: ServerOptions): Server {
  const { host, startTimeout } = options
  const { cwd, roots } = host.fileSystem
  const stopped = new AbortController()
  const inFlight = new Set<InFlight>()
  let starting: Promise<Connection> | undefined
  let starts = 0
  let notified = Promise.resolve()

  /** Sequential, so that the latest list wins. */
  function notifyTools(tools: readonly ListedTool[]): Promise<void> {
    const last = notified.then(() => options.onTools(tools))
    notified = last.catch(() => {}) // Reported to the caller.
    return last
  }

  async function start(onClose: () => void): Promise<Connection> {
    // In Node 20, AbortSignal.timeout may be garbage collected if only AbortSignal.any refers to it.
    const limit = new AbortController()
    const late = new Error(`It did not answer within ${startTimeout} ms.`)
    const timer = setTimeout(() => limit.abort(late), startTimeout)
    try {
      const connection = await openConnection(settings, {
        ...options,
        cwd,
        roots,
        signal: AbortSignal.any([stopped.signal, limit.signal]),
        prepare,
        onClose,
        // On failure, the old list stays, and the server rejects tools that no longer exist.
        onTools: (tools) => void notifyTools(tools).catch(() => {}),
      })
      await notifyTools(connection.tools).catch(async (error: unknown) => {
        await connection.close()
        throw error
      })
      return connection
    } finally {
      clearTimeout(timer)
    }
  }

  function connect(): Promise<Connection> {
    if (stopped.signal.aborted) return Promise.reject(new Error('It was closed.'))
    if (starting) return starting
    if (starts >= MAX_STARTS)
      return Promise.reject(new Error(`It was started ${starts} times and ended each time.`))
    starts++
    const over = (): void => {
      if (starting === attempt) starting = undefined
    }
    const attempt = start(over)
    starting = attempt
    attempt.catch(over)
    return attempt
  }

  /**
   * Handles requests of the server for the roots, and for asking the user during a call. Access to
   * a model is not offered.
   */
  function prepare(client: Client): void {
    client.registerCapabilities({ roots: {}, elicitation: { form: {} } })
    client.setRequestHandler('roots/list', () => ({
      roots: host.fileSystem.roots.map((root) => ({ uri: pathToFileURL(root).href })),
    }))
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => {
      const call = [...inFlight].at(-1)
      if (!call?.ask || params.mode === 'url' || ++call.questions > MAX_QUESTIONS)
        return { action: 'decline' }
      return elicit(params, name, call.ask, AbortSignal.any([mcpReq.signal, call.over.signal]))
    })
  }

  const callOn =
    (connection: Connection): Call =>
    async (tool, args, context, timeout) => {
      const { signal, ask = host.ask } = context
      const call: InFlight = { ask, over: new AbortController(), questions: 0 }
      inFlight.add(call)
      try {
        const result = await connection.client.callTool(
          { name: tool, arguments: args },
          // The signal fires first, with a better message.
          {
            signal,
            timeout: timeout + 1000,
            onprogress: progressNotes((update) => context.progress(update)),
          },
        )
        starts = 1
        return result
      } catch (error) {
        signal.throwIfAborted()
        const failure = failureOf(error, name, connection.lastOutput())
        // Close the connection, so that the next call restarts the server.
        if (failure.details?.['code'] === 'server_lost') await connection.close().catch(() => {})
        throw failure
      } finally {
        inFlight.delete(call)
        call.over.abort()
      }
    }

  return {
    name,

    async ready(signal) {
      try {
        return callOn(await (signal ? unlessAborted(signal, connect()) : connect()))
      } catch (error) {
        signal?.throwIfAborted()
        const cause = new Error(withFullStop(cleanText(messageOf(error), MAX_REASON_LENGTH)))
        throw new ToolError(
          'execution_failed',
          `The server ${name} is not available: ${cause.message} Nothing was done. Use another tool, or tell the user.`,
          { code: 'server_unavailable' },
          { cause },
        )
      }
    },

    async close() {
      const open = starting
      stopped.abort(new Error('It was closed.'))
      await open?.then(
        (connection) => connection.close(),
        () => {}, // The server failed to start.
      )
    },
  }
}

/** The interval between notes, in milliseconds. */
const NOTE_INTERVAL = 50
const MAX_NOTE_LENGTH = 500

/** Reports the progress of a server as notes, at a limited rate and length. */
function progressNotes(progress: ToolContext['progress']): (update: Update) => void {
  let last = -NOTE_INTERVAL
  return ({ progress: done, total, message }) => {
    const now = performance.now()
    if (now - last < NOTE_INTERVAL) return
    last = now
    const amount = total === undefined ? `${done}` : `${done} of ${total}`
    progress({ type: 'note', text: cleanText(message ?? amount, MAX_NOTE_LENGTH) })
  }
}
