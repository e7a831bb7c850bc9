import type { Tool } from '@toolglot/agent'
import { isServerName } from '@toolglot/permissions/internal'
import type { McpServer } from './connection.ts'
import type { Host } from '../../host/host.ts'
import type { Environment } from '../../process/environment.ts'
import { ambiguousNames } from './clean-text.ts'
import { offerTools } from './offer-tools.ts'
import { createPins } from './pins.ts'
import { createServer } from './server.ts'

/** Options for `mcpTools`. */
export interface McpToolsOptions {
  readonly host: Pick<Host, 'fileSystem' | 'storage' | 'ask'>
  /**
   * The values for `${NAME}`, and the environment of programs, which get it without its secrets.
   */
  readonly environment: Environment
  readonly version: string
  /** The time limit for starting each server, in milliseconds. Default: 5000. */
  readonly startTimeout?: number | undefined
  /** Stops waiting for servers that are not ready yet. */
  readonly signal?: AbortSignal | undefined
}

/** The tools of running servers. */
export interface McpTools {
  /** The current tools by name. A server may change its tools. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Unavailable servers and rejected tools. */
  readonly problems: readonly McpProblem[]
  /** Stops all servers. */
  close(): Promise<void>
}

/** The reason why a server or one of its tools is not available. */
export interface McpProblem {
  readonly server: string
  readonly reason: string
}

/** Starts servers and offers their tools. A failing server is reported in `problems`; it never makes this reject. */
export async function mcpTools(
  servers: Readonly<Record<string, McpServer>>,
  options: McpToolsOptions,
): Promise<McpTools> {
  const tools = new Map<string, Tool>()
  const problems: McpProblem[] = []
  const pins = createPins(options.host.storage)
  const used = Object.entries(servers).filter(([, { disabled }]) => !disabled)
  const ambiguous = ambiguousNames(used.map(([name]) => name))
  const open = await Promise.all(
    used.map(async ([name, settings]) => {
      const report = (reason: string): void => {
        const isKnown = problems.some((each) => each.server === name && each.reason === reason)
        if (!isKnown && problems.length < MAX_PROBLEMS) problems.push({ server: name, reason })
      }
      if (!isServerName(name))
        return report('a name consists of letters, digits, "-" and single "_"')
      if (ambiguous.has(name)) return report('another server has the same name, ignoring case')
      const server = createServer(name, settings, {
        ...options,
        startTimeout: options.startTimeout ?? START_TIMEOUT,
        onTools: (listed) => offer(listed),
      })
      const offer = offerTools({ name, settings, server, tools, pins, report })
      await server.ready(options.signal).catch((error: Error) => {
        report(error.cause instanceof Error ? error.cause.message : error.message)
      })
      return server
    }),
  )
  return {
    tools,
    problems,
    close: async () => {
      await Promise.all(open.flatMap((server) => server?.close() ?? []))
    },
  }
}

const START_TIMEOUT = 5000
/** A server may keep changing its tools. */
const MAX_PROBLEMS = 200
