// Folder: The checks of `toolglot doctor`.
import {
  connectWorkspaceModel,
  type ModelSearch,
  searchModels,
  UserError,
  type Workspace,
} from '@toolglot/workspace'
import { asUserError, isYes, visibleLine } from '@toolglot/workspace/internal'
import {
  dialectsFor,
  probeModel,
  type ProbeProgress,
  saveProtocol,
  type ModelProbe,
  type ProbedProtocol,
  type TaskResult,
} from '@toolglot/workspace/probe'
import { Exit } from '../exit.ts'
import { showProgress } from '../run/choose-model.ts'
import { toJson } from '../show/text/json.ts'
import { createStopSignal } from '../process-events.ts'
import { colorsOf, columnsOf, type Terminal, write, type Colors } from '../terminal.ts'
import { table } from '../show/text/table.ts'

/** The options of `toolglot doctor --probe`. */
export interface ProbeFlags {
  /** Default: the model in use. */
  readonly model?: string | undefined
  readonly json?: true | undefined
}

/**
 * Finds the dialect in which a model calls tools best, and saves it for that model. Exits with 1 if
 * no dialect works.
 */
export async function probe(
  workspace: Workspace,
  { model: named, json }: ProbeFlags,
  terminal: Terminal,
): Promise<void> {
  const { output, errors, env } = terminal
  const stop = createStopSignal()
  const { signal } = stop
  try {
    const search = await searchModels(workspace, { signal })
    const onProgress = showProgress(terminal)
    const chosen = await connectWorkspaceModel(workspace, {
      named,
      ask: terminal.ask,
      signal,
      onProgress,
    })
    if (!chosen.model)
      throw new UserError(
        'data',
        `No model: ${chosen.why}. Start a model server, or name a model with --model`,
      )
    const { model, reference, why } = chosen
    const protocols = dialectsFor(model, { native: hasFunctionCalling(reference, search) })
    const wasAsked = named === undefined && 'costs' in search.choice && search.choice.costs
    if (!wasAsked) await agreeToProbe(reference, search, protocols.length, terminal)
    errors.write(`${visibleLine(reference)}: ${visibleLine(why)}\n`)
    const found = await asUserError(() =>
      probeModel(model, { protocols, signal, onProgress: (each) => showStep(each, terminal) }),
    )
    const saved =
      found.best === undefined
        ? undefined
        : {
            protocol: found.best,
            file: saveProtocol(workspace.directories, reference, found.best),
          }
    const text = json
      ? `${toJson({ reference, why, ...found, ...(saved && { saved }) }, { indent: 2 })}\n`
      : showProbe(found, { reference, file: saved?.file }, colorsOf(output, env), columnsOf(output))
    await write(output, text)
    if (!saved) throw new Exit(1)
  } catch (error) {
    if (!signal.aborted || error instanceof Exit) throw error
    errors.write('Stopped. Nothing was saved.\n')
    throw new Exit(1)
  } finally {
    stop.forget()
  }
}

function showStep({ protocol, number, total, result }: ProbeProgress, { errors }: Terminal): void {
  if (!result) errors.write(`  ${number} of ${total}: ${protocol} …\n`)
}

/**
 * True if the server of a model on this machine supports function calling for it. Undefined: use
 * the connection's value.
 */
function hasFunctionCalling(reference: string, { found }: ModelSearch): true | undefined {
  const models = found.servers.flatMap(({ id, models: all }) =>
    all.map(({ name, tools }) => ({ name: `${id}/${name}`, tools })),
  )
  return models.some(({ name, tools }) => name === reference && tools) || undefined
}

/**
 * Asks before sending many requests to a paid model, unless the user agreed to pay for its
 * provider.
 */
async function agreeToProbe(
  reference: string,
  { found, paid }: ModelSearch,
  dialects: number,
  { ask }: Terminal,
): Promise<void> {
  const provider = found.keys.find((key) => reference.startsWith(`${key.provider}/`))
  if (!provider || paid.includes(provider.provider)) return
  const requests = dialects * REQUESTS
  const question = `${provider.name} costs money, and probing sends ${reference} up to ${requests} requests. Continue? [y/N] `
  if (isYes(await ask?.(question))) return
  throw new UserError(
    'data',
    `${provider.name} costs money, and ${ask ? 'you did not agree' : 'there is no terminal to ask on'}. To agree permanently: toolglot config set paidProviders ${provider.provider}`,
  )
}

/** The number of requests per dialect: three tasks, and one more with a result. */
const REQUESTS = 4

/** The result of the probe, and the file that it was saved in. */
interface Probed {
  readonly reference: string
  readonly file: string | undefined
}

/** The output of `doctor --probe`: one row per dialect, and the saved setting. */
function showProbe(
  { tried, best, stopped, problem = '' }: ModelProbe,
  { reference, file }: Probed,
  { bold, dim, green, yellow, red }: Colors,
  edge: number,
): string {
  const paint = { done: green, repaired: yellow, failed: red, '–': dim }
  const head = ['protocol', ...(tried[0]?.tasks ?? []).map(({ task }) => task), 'time', '']
  const shown = table(
    [head, ...tried.map(rowOf)],
    (cell, row) => (row === 0 ? bold(cell) : (paint[cell as keyof typeof paint]?.(cell) ?? cell)),
    edge,
  )
  const name = bold(visibleLine(reference))
  const notes = stopped ? [`${STOPPED[stopped]}${visibleLine(problem)}`] : []
  if (best === undefined || file === undefined) {
    const isAnswered = stopped === undefined || stopped === 'time'
    const none = !isAnswered ? '' : `${name} does not call tools in any dialect tried. `
    return `${shown}\n${[...notes, `${none}Nothing was saved.`].join('\n')}\n`
  }
  const winner = tried.find(({ protocol }) => protocol === best)!
  const count = winner.tasks.filter(isDone).length
  const spoken =
    best === 'native' ? 'calls tools best with its own function calling' : `writes ${best} best`
  return `${shown}\n${[
    ...notes,
    `${name} ${spoken}: ${count} of ${winner.tasks.length} tasks.`,
    `Saved in ${visibleLine(file)}: it is now used unless another protocol is chosen.`,
  ].join('\n')}\n`
}

const STOPPED = {
  time: 'The time limit was reached before everything was tried.',
  failed: 'The rest was not tried, because the model failed: ',
  silent: 'The model did not reply in time, twice in a row, so the rest was not tried.',
}

function rowOf({ protocol, isOwn, tasks }: ProbedProtocol): string[] {
  const time = tasks.reduce((sum, { duration }) => sum + duration, 0)
  const problem = tasks.find(({ outcome }) => outcome === 'failed')?.problem
  const repairs = [...new Set(tasks.flatMap((each) => each.repairs))]
  const note = problem ?? (repairs.length > 0 ? `repaired: ${repairs.join(', ')}` : '')
  return [
    isOwn ? `${protocol} (its own)` : protocol,
    ...tasks.map(({ outcome }) => (outcome === 'skipped' ? '–' : outcome)),
    `${(time / 1000).toFixed(1)} s`,
    visibleLine(note),
  ]
}

function isDone({ outcome }: TaskResult): boolean {
  return outcome === 'done' || outcome === 'repaired'
}
