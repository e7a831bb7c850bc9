import { mkdir } from 'node:fs/promises'
import { type Answers, type ExecuteResult, execute } from '@toolglot/agent'
import { type FileSystemView, readRules } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import type { Storage, Host } from '../host/host.ts'
import { createTools } from '../create-tools.ts'
import { searxng } from '../web/providers/searxng.ts'

/** A way to run the tools: a host, or an integration into another agent. */
export interface ConformanceTarget {
  /** The missing features, with reasons. */
  readonly lacks?: Partial<Readonly<Record<Feature, string>>>
  open(options: SessionOptions): Promise<ToolSession>
}

/** Optional features of a target: a user to ask, a language server for TypeScript. */
export type Feature = 'ask' | 'language'

/** Options for opening a session. */
export interface SessionOptions {
  /** The workspace, a real folder on this machine. */
  readonly root: string
  /** A folder for stored data, possibly used by an earlier session. */
  readonly state: string
  /** The permission rules, as in settings. All other calls are denied. */
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly ask?: readonly string[] | undefined
  /** The user's answers. */
  readonly answers?: Answers | undefined
  /** The URL of a SearXNG server. */
  readonly search?: string | undefined
}

/** The tools, ready to be called. */
export interface ToolSession {
  /** The run that its calls belong to, if any. */
  readonly run?: string
  readonly storage: Storage
  /**
   * Makes a call as a model does: its arguments are validated, and it runs only if the rules allow
   * it.
   */
  readonly call: (
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ) => Promise<ExecuteResult>
  readonly close: () => Promise<void>
}

/** The options of a host under test. */
export interface HostSetup {
  readonly fileSystem: FileSystemView
  readonly storage: Storage
  /** The user's answers, by question. */
  readonly answers: Answers
}

/** A conformance target that runs the tools on a host, as an agent run does. */
export function overHost(
  make: (setting: HostSetup) => Host | Promise<Host>,
  lacks: ConformanceTarget['lacks'] = {},
): ConformanceTarget {
  return { lacks, open: (options) => open(make, options) }
}

async function open(
  make: (setting: HostSetup) => Host | Promise<Host>,
  { root, state, allow, deny, ask = [], answers = {}, search }: SessionOptions,
): Promise<ToolSession> {
  await mkdir(state, { recursive: true })
  const storage = { folder: state }
  const host = await make({ fileSystem: nodeFileSystem({ cwd: root }), storage, answers })
  const source = { scope: 'user', root } as const
  const permissions = readRules({ allow, ask, deny }, { source })
  const provider = search === undefined ? {} : { provider: searxng({ url: search }) }
  const tools = createTools(host, provider)
  const run = 'conformance'
  let calls = 0
  return {
    run,
    storage,
    call: (name, args, signal) =>
      execute(
        { id: `call-${++calls}`, name, args },
        { tools, permissions, fileSystem: host.fileSystem, run, signal },
      ),
    close: () => host.close(),
  }
}
