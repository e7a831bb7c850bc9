// Folder: `toolglot serve`: starting, restarting and stopping the server.
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
  type ModelSearch,
  searchModels,
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
import { protocolName } from '../input/protocol-of-model.ts'
import { workspaceForTools } from '../open-workspace.ts'
import { openSharedJournal } from './shared-journal.ts'
import { type Answering, showServer } from '../show/server.ts'
import { createStopSignal, untilAborted } from '../process-events.ts'
import { type Terminal, warn } from '../terminal.ts'

/**
 * Starts the server, and stops it in an orderly way on Ctrl-C, or immediately on a second Ctrl-C.
 */
export async function serve(
  flags: ServeFlags,
  terminal: Terminal,
  { log = serveLog(flags, terminal), announce }: ServeOptions = {},
): Promise<void> {
  const stop = createStopSignal()
  // An unhandled rejection must not end the process.
  process.on('unhandledRejection', log.failure)
  const atOnce = new AbortController()
  let second: ReturnType<typeof createStopSignal> | undefined
  stop.signal.addEventListener('abort', () => {
    second = createStopSignal(['SIGINT', 'SIGTERM'])
    second.signal.addEventListener('abort', () => atOnce.abort())
  })
  try {
    await serveUntil(stop.signal, flags, { terminal, log, announce }, atOnce.signal)
  } finally {
    stop.forget()
    second?.forget()
    process.removeListener('unhandledRejection', log.failure)
  }
}

/** The output of a server. */
export interface ServeOptions {
  /** Default: logs every request to standard output. */
  readonly log?: Log | undefined
  /**
   * Announces the running server. Default: prints its address and instructions. Returns a callback
   * for when it stops.
   */
  readonly announce?:
    | ((server: Server, answering: Answering) => Promise<(() => void) | undefined>)
    | undefined
}

/** The outputs of a server, and its log. */
interface Output extends Pick<ServeOptions, 'announce'> {
  readonly terminal: Terminal
  readonly log: Log
}

/** The log of requests, on standard output. */
export function serveLog({ log }: Pick<ServeFlags, 'log'>, { output }: Terminal): Log {
  return createLog({ format: log, write: (text) => void output.write(text) })
}

/**
 * Serves until the signal aborts, and then until responses have ended or `atOnce` aborts. Messages
 * for users go to standard error; with `--log json`, all messages go to the log.
 */
export async function serveUntil(
  signal: AbortSignal,
  flags: ServeFlags,
  { terminal, log, announce }: Output,
  atOnce?: AbortSignal,
): Promise<void> {
  const isJson = flags.log === 'json'
  const warning = (text: string): void =>
    isJson ? log.warning(text) : warn(visibleLine(text), terminal)
  const workspace = await workspaceForTools(flags, terminal)
  workspace.warnings.forEach(warning)
  const { server, ...answering } = await start(flags, { workspace, log, terminal, warning, signal })
  let unannounce: (() => void) | undefined
  try {
    // A login link is a secret for ten minutes, so it must not be in a log that programs collect.
    if (isJson) {
      log.note(`listening on ${server.url}`)
      if (answering.chosen) log.note(describeDefault(answering.chosen))
    } else if (announce) unannounce = await announce(server, answering)
    else {
      const shown = { url: server.url, link: await server.loginLink() }
      terminal.errors.write(showServer(shown, answering, terminal))
    }
    await untilAborted(signal)
  } finally {
    unannounce?.()
    await server.close({
      signal: atOnce,
      onRuns(count) {
        const runs = count === 1 ? '1 run continues' : `${count} runs continue`
        const note = `${runs} when the server starts again`
        if (isJson) log.note(note)
        else terminal.errors.write(`${note}.\n`)
      },
      onWaiting(count) {
        const responses = count === 1 ? '1 response' : `${count} responses`
        if (isJson) log.note(`waiting for ${responses}`)
        else
          terminal.errors.write(`Waiting for ${responses}; press Ctrl-C again to stop at once.\n`)
      },
    })
  }
}

interface Surroundings extends Omit<Output, 'announce'> {
  readonly workspace: Workspace
  readonly warning: (text: string) => void
  readonly signal: AbortSignal
}

async function start(
  flags: ServeFlags,
  { workspace, log, terminal, warning, signal }: Surroundings,
): Promise<Answering & { readonly server: Server }> {
  const { settings, directories, env } = workspace
  const { limits, codeVersion: _, whenChanged: __, ...listening } = serverSettings(settings)
  const { models: inSettings, streamArguments } = gatewaySettings(settings)
  let chosen: ChosenModel | undefined
  let isStarted = false
  const named = {
    model: flags.model,
    protocol: flags.protocol === undefined ? undefined : protocolName(flags.protocol, terminal),
  }
  const models = workspaceModels(workspace, {
    ...named,
    onDefault(found) {
      chosen = found
      if (isStarted) log.note(describeDefault(found))
    },
  })
  // Unusable models are reported at startup rather than at the first request.
  const names = [...new Set(['default', ...Object.keys(inSettings)])]
  let whyNone: string | undefined
  // The search fails if the settings contain an invalid model, which is reported below.
  const servers = searchModels(workspace, { signal }).then(
    ({ found }) => found.servers,
    () => [],
  )
  for (const name of names) {
    try {
      const reference = (await models.find(name, signal))?.model.reference
      const absence = reference && absenceOf(reference, await servers)
      if (absence) warning(`the model ${quote(name)} cannot answer yet: ${absence}`)
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      if (!(cause instanceof UserError)) throw error
      if (name === 'default' && (flags.model ?? flags.protocol) !== undefined) throw cause
      if (name === 'default') whyNone = cause.message
      warning(`the model ${quote(name)} cannot be used: ${cause.message}`)
    }
  }
  const metrics = createMetrics()
  const sharedJournal = await openSharedJournal(flags, { terminal, workspace, warn: warning })
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
    workspace,
    sharedJournal,
    runDefaults: named,
    stateFolder: stateFolder(directories),
    token: env['TOOLGLOT_TOKEN'],
    ...(streamArguments !== undefined && { streamArguments }),
    onRequest: () => metrics.begin(),
    observe(entry) {
      log.observe(entry)
      metrics.observe(entry)
    },
    metrics: async () => (await metrics.print()) + ((await sharedJournal?.metrics()) ?? ''),
    onWarning: warning,
    onError: log.failure,
  })
  isStarted = true
  return { server, chosen, whyNone, names }
}

/**
 * The reason why a model on this machine is unavailable. Undefined if it is available, or
 * elsewhere.
 */
function absenceOf(
  reference: string,
  servers: ModelSearch['found']['servers'],
): string | undefined {
  const server = servers.find(({ id }) => reference.startsWith(`${id}/`))
  if (!server || server.models.some(({ name }) => `${server.id}/${name}` === reference))
    return undefined
  return server.status === 'running'
    ? `${server.name} does not have ${quote(reference)}; list its models with toolglot models`
    : `${server.name} is not running at ${server.url}; start it: ${server.start}`
}

/** The new default model, for the log. */
function describeDefault(chosen: ChosenModel): string {
  const { reference, why } = chosen
  const model = reference === DEMO ? 'a built-in demo script, not an AI' : reference
  return `"default" is ${model} (${describeProtocol(chosen).label}): ${why}`
}
