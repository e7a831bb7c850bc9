import { resolve } from 'node:path'
import {
  Client,
  type FetchLike,
  ProtocolError,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Tool as ListedTool,
  type Transport,
} from '@modelcontextprotocol/client'
import { environmentFor, type Environment } from '../../process/environment.ts'
import { pathWithoutRoots } from '../../paths/programs.ts'
import { waitAtMost } from '../../process/wait-at-most.ts'
import { childTransport } from './child-transport.ts'
import { withFullStop } from './clean-text.ts'
import { messageOf } from './failure.ts'

/** The settings of an MCP server: a program to start, or a URL. */
export type McpServer = (McpProgram | McpAddress) & {
  /** Turns the server off. */
  readonly disabled?: boolean
  /** The time limit for a call, in milliseconds. */
  readonly timeout?: number
}

/** A server that is started as a program. */
interface McpProgram {
  readonly command: string
  readonly args?: readonly string[]
  /** Additional environment variables; `${NAME}` is replaced by the value of our own variable. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A server at a URL. */
interface McpAddress {
  readonly url: string
  /** Sent with every request; `${NAME}` is replaced as above. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An open connection to a server. */
export interface Connection {
  readonly client: Client
  readonly tools: readonly ListedTool[]
  /** The end of its standard error. */
  lastOutput(): string
  close(): Promise<void>
}

/** Options for `openConnection`. */
interface ConnectionOptions {
  readonly environment: Environment
  readonly cwd: string
  /** The workspace. Programs in it are not trusted. */
  readonly roots: readonly string[]
  readonly version: string
  readonly signal: AbortSignal
  /** The time limit for starting the server, in milliseconds. */
  readonly startTimeout: number
  /** Registers handlers for requests of the server. */
  readonly prepare: (client: Client) => void
  readonly onClose: () => void
  /** Called when the list of tools has changed. */
  readonly onTools: (tools: readonly ListedTool[]) => void
}

/** Starts a server or connects to one. */
export async function openConnection(
  server: McpServer,
  options: ConnectionOptions,
): Promise<Connection> {
  const [first, second] = attemptsFor(server, options)
  try {
    return await connect(first, options)
  } catch (error) {
    if (!second || !first.isRetryable(error)) throw error
    return await connect(second, options)
  }
}

/** A way to connect to a server. */
interface Attempt {
  readonly era: 'legacy' | 'auto'
  readonly transport: () => Transport & { lastOutput?(): string }
  /** True if the failure may mean that the server requires the other transport. */
  isRetryable(error: unknown): boolean
}

function attemptsFor(
  server: McpServer,
  { environment, cwd, roots }: ConnectionOptions,
): readonly [Attempt, Attempt] {
  if ('url' in server) {
    const url = new URL(server.url)
    const headers = expandVariables(server.headers ?? {}, environment)
    // By default, these follow redirects only to the same origin.
    const options = { requestInit: { headers }, fetch: boundedFetch }
    const isMissing = (error: unknown): boolean =>
      error instanceof SdkHttpError && [400, 404, 405, 406, 415].includes(error.data.status)
    return [
      {
        era: 'auto',
        transport: () => new StreamableHTTPClientTransport(url, options),
        isRetryable: isMissing,
      },
      {
        era: 'legacy',
        transport: () => new SSEClientTransport(url, options),
        isRetryable: () => false,
      },
    ]
  }
  const transport = (): ReturnType<typeof childTransport> =>
    childTransport({
      command: server.command,
      args: server.args ?? [],
      cwd: resolve(cwd, server.cwd ?? '.'),
      env: {
        ...environmentFor(environment),
        // The server runs without a sandbox and may start programs by name.
        PATH: pathWithoutRoots(environment['PATH'] ?? '', roots),
        ...expandVariables(server.env ?? {}, environment),
      },
    })
  // Servers from before 2026 may exit on an unknown request; later ones recognize the old request
  // and reject it.
  const isRefused = (error: unknown): boolean => error instanceof ProtocolError
  return [
    { era: 'legacy', transport, isRetryable: isRefused },
    { era: 'auto', transport, isRetryable: () => false },
  ]
}

async function connect(
  { era, transport: make }: Attempt,
  options: ConnectionOptions,
): Promise<Connection> {
  const { signal, startTimeout, version, prepare, onClose, onTools } = options
  // The signal fires first, with a better message.
  const timeout = startTimeout + 1000
  const client = new Client(
    { name: 'toolglot', version },
    {
      versionNegotiation: { mode: era },
      listChanged: {
        tools: { debounceMs: 50, onChanged: (_error, tools) => void (tools && onTools(tools)) },
      },
      // Output schemas of servers are not trusted, and their patterns are not run.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({
          valid: true,
          data: data as never,
          errorMessage: undefined,
        }),
      },
    },
  )
  prepare(client)
  const transport = make()
  const lastOutput = (): string => transport.lastOutput?.() ?? ''
  const close = async (): Promise<void> => {
    if (transport instanceof StreamableHTTPClientTransport)
      // Best effort: the server may not answer.
      await waitAtMost(GRACE, transport.terminateSession()).catch(() => {})
    await client.close()
    await transport.close()
  }
  try {
    await client.connect(transport, { signal, timeout })
    const { tools } = await client.listTools(undefined, { signal, timeout })
    client.onclose = onClose
    return {
      client,
      tools,
      lastOutput,
      async close() {
        await close()
        // The server may have ended before the listener was set.
        onClose()
      },
    }
  } catch (error) {
    await close().catch(() => {}) // The original failure is reported below.
    if (error instanceof ProtocolError || error instanceof SdkHttpError) throw error
    const message = withFullStop(messageOf(signal.aborted ? signal.reason : error))
    const output = lastOutput()
    throw new Error(output === '' ? message : `${message} It wrote: ${output}`, { cause: error })
  }
}

const GRACE = 1000

/** Maximum size of a response, in bytes. */
const MAX_RESPONSE_BYTES = 32 << 20

/** `fetch` with a limit on the size of the response. */
const boundedFetch: FetchLike = async (url, options) => {
  const response = await fetch(url, options)
  if (!response.body || (response.status >= 300 && response.status < 400)) return response
  let size = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length
        if (size > MAX_RESPONSE_BYTES)
          controller.error(new Error(`It sent more than ${MAX_RESPONSE_BYTES} bytes.`))
        else controller.enqueue(chunk)
      },
    }),
  )
  const { status, statusText, headers } = response
  return new Response(counted, { status, statusText, headers })
}

/** Replaces `${NAME}` with environment variables. Throws for one that is not set. */
function expandVariables(
  values: Readonly<Record<string, string>>,
  environment: Environment,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
        const found = environment[name]
        if (found === undefined)
          throw new Error(`${key} needs the environment variable ${name}, which is not set`)
        return found
      }),
    ]),
  )
}
