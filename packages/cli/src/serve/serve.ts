import {
  createLog,
  createMetrics,
  type Log,
  type Server,
  startServer,
  workspaceModels,
} from '@toolglot/server'
import {
  type ChosenModel,
  DEMO,
  describeProtocol,
  UserError,
  type Workspace,
} from '@toolglot/workspace'
import {
  gatewaySettings,
  quote,
  serverSettings,
  stateFolder,
  visibleLine,
} from '@toolglot/workspace/internal'
import type { ServeFlags } from '../commands/serve.ts'
import { protocolName } from '../input/protocol-name.ts'
import { workspaceWithWarnings } from '../open-workspace.ts'
import { showServer } from '../show/server.ts'
import { createStopSignal } from '../stop-signal.ts'
import { warnStrayRejections } from '../stray-rejections.ts'
import type { Terminal } from '../terminal.ts'
import { warn } from '../warn.ts'

/** Starts the server, and stops it in order on Ctrl-C. */
export async function serve(flags: ServeFlags, terminal: Terminal): Promise<void> {
  const stop = createStopSignal()
  const stray = warnStrayRejections(terminal)
  try {
    await serveUntil(stop.signal, flags, terminal)
  } finally {
    stop.forget()
    stray.forget()
  }
}

/** Serves until the signal aborts. Requests are logged to standard output, everything else is printed to standard error. */
export async function serveUntil(
  signal: AbortSignal,
  flags: ServeFlags,
  terminal: Terminal,
): Promise<void> {
  const workspace = await workspaceWithWarnings(flags, terminal)
  const log = createLog({ format: flags.log, write: (text) => void terminal.output.write(text) })
  const { server, chosen } = await start(flags, { workspace, log, terminal, signal })
  try {
    // A login link is a secret for ten minutes: it does not belong in a log that programs collect.
    if (flags.log === 'json') {
      log.note(`listening on ${server.url}`)
      if (chosen) log.note(describeDefault(chosen))
    } else terminal.errors.write(showServer(server, chosen, terminal))
    await aborted(signal)
  } finally {
    await server.close()
  }
}

interface Place {
  readonly workspace: Workspace
  readonly log: Log
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

async function start(
  flags: ServeFlags,
  { workspace, log, terminal, signal }: Place,
): Promise<{ readonly server: Server; readonly chosen: ChosenModel | undefined }> {
  const { settings, directories, env } = workspace
  const { limits, ...listening } = serverSettings(settings)
  const { models: named, streamArguments } = gatewaySettings(settings)
  const warning = (text: string): void => warn(visibleLine(text), terminal)
  let chosen: ChosenModel | undefined
  let isStarted = false
  const models = workspaceModels(workspace, {
    model: flags.model,
    ...(flags.protocol !== undefined && { protocol: protocolName(flags.protocol, terminal) }),
    onDefault(found) {
      chosen = found
      if (isStarted) log.note(describeDefault(found))
    },
  })
  // What cannot be used is known at the start, not only when somebody asks for it.
  for (const name of new Set(['default', ...Object.keys(named)])) {
    try {
      await models.find(name, signal)
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      if (!(cause instanceof UserError)) throw error
      if (name === 'default' && (flags.model ?? flags.protocol) !== undefined) throw cause
      warning(`the model ${quote(name)} cannot be used: ${cause.message}`)
    }
  }
  const metrics = createMetrics()
  const server = await startServer({
    ...listening,
    ...(flags.port !== undefined && { port: flags.port }),
    ...(flags.host !== undefined && { host: flags.host }),
    dangerouslyListenEverywhere: flags.dangerouslyListenEverywhere === true,
    hosts: [...(listening.hosts ?? []), ...flags.allowHost],
    limits: {
      ...limits,
      ...(limits?.requestsPerSecond === 0 && { requestsPerSecond: Infinity, burst: Infinity }),
    },
    models,
    stateFolder: stateFolder(directories),
    token: env['TOOLGLOT_TOKEN'],
    ...(streamArguments !== undefined && { streamArguments }),
    onRequest: () => metrics.begin(),
    observe(entry) {
      log.observe(entry)
      metrics.observe(entry)
    },
    metrics: () => metrics.print(),
    onWarning: warning,
    onError: (error) =>
      warning(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  })
  isStarted = true
  return { server, chosen }
}

/** Which model `default` is from now on, for the log. */
function describeDefault(chosen: ChosenModel): string {
  const { reference, why } = chosen
  const model = reference === DEMO ? 'a built-in demo script, not an AI' : reference
  return `"default" is ${model} (${describeProtocol(chosen).name}): ${why}`
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
}
