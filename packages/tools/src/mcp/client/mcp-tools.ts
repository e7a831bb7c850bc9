import type { Tool } from '@toolglot/agent'
import { isServerName } from '@toolglot/permissions/internal'
import type { McpServer } from './server-settings.ts'
import type { Host } from '../../host/host.ts'
import type { Environment } from '../../process/environment.ts'
import { ambiguousNames } from './tool-names.ts'
import { createPins } from './pins.ts'
import { createServer } from './server.ts'
import { offerTools } from './offer-tools.ts'

export interface McpToolsOptions {
  readonly host: Pick<Host, 'fileSystem' | 'storage' | 'ask'>
  /** What `${NAME}` is taken from, and what programs are given less its secrets. */
  readonly environment: Environment
  readonly version: string
  /** How long each server is waited for, in milliseconds; 5000 if not told. */
  readonly startTimeout?: number
  /** Servers that are not there yet are waited for no longer. */
  readonly signal?: AbortSignal
}

export interface McpTools {
  /** By name, as they are now: a server may change its own. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Servers that are not there, and tools that are not taken. */
  readonly problems: readonly McpProblem[]
  /** Ends every server that was started. */
  close(): Promise<void>
}

export interface McpProblem {
  readonly server: string
  readonly reason: string
}

/** The tools of some servers, which are started at once. Whatever is wrong with one is a problem, never a failure of all. */
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
      if (!isServerName(name)) return report('a name is of letters, digits, "-" and single "_"')
      if (ambiguous.has(name)) return report('another has this name, but for upper and lower case')
      const server = createServer(name, settings, {
        startTimeout: START_TIMEOUT,
        ...options,
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
/** A server may change its tools for ever. */
const MAX_PROBLEMS = 200
