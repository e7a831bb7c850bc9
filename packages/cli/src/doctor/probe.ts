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
} from '@toolglot/workspace/probe'
import { Exit } from '../exit.ts'
import { showProgress } from '../run/show-progress.ts'
import { showProbe } from '../show/probe.ts'
import { toJson } from '../show/text/json.ts'
import { createStopSignal } from '../stop-signal.ts'
import { colorsOf, columnsOf, type Terminal, write } from '../terminal.ts'

/** What `toolglot doctor --probe` was asked for. */
export interface ProbeFlags {
  /** Default: the model in use. */
  readonly model?: string | undefined
  readonly json?: true | undefined
}

/** Finds out which dialect a model speaks best, and saves it for that model. Exits with 1 if it speaks none. */
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
      throw new UserError('data', {
        expected: 'a model',
        got: `none: ${chosen.why}`,
        advice: 'start a model server, or name a model with --model',
      })
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

/** Whether the server of a model on this machine has function calling for it; undefined: as the connection says. */
function hasFunctionCalling(reference: string, { found }: ModelSearch): true | undefined {
  const models = found.servers.flatMap(({ id, models: all }) =>
    all.map(({ name, tools }) => ({ name: `${id}/${name}`, tools })),
  )
  return models.some(({ name, tools }) => name === reference && tools) || undefined
}

/** Asks before a paid model is asked many times, unless the person agreed to pay for its provider. */
async function agreeToProbe(
  reference: string,
  { found, paid }: ModelSearch,
  dialects: number,
  { ask }: Terminal,
): Promise<void> {
  const provider = found.keys.find((key) => reference.startsWith(`${key.provider}/`))
  if (!provider || paid.includes(provider.provider)) return
  const requests = dialects * REQUESTS
  const question = `${provider.name} costs money, and probing asks ${reference} up to ${requests} times. Go on? [y/N] `
  if (isYes(await ask?.(question))) return
  throw new UserError('data', {
    expected: `your agreement to use ${provider.name}, which costs money`,
    got: ask ? 'no' : 'nobody to ask',
    advice: `toolglot config set paidProviders ${provider.provider} agrees permanently`,
  })
}

/** How often a model is asked in each dialect: three tasks, and once more with a result. */
const REQUESTS = 4
