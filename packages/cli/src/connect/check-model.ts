import { UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { workspaceOf } from '../open-workspace.ts'
import { type Terminal, warn } from '../terminal.ts'
import type { GatewayAddress } from './connection.ts'

/**
 * Throws a UserError if a gateway has no model with this name. A gateway that isn't running would
 * have the models of this machine. Warns if the name cannot be checked.
 */
export async function checkModel(
  { url, token, model }: GatewayAddress,
  { isRunning }: { readonly isRunning: boolean },
  terminal: Terminal,
): Promise<void> {
  if (model === 'default') return
  const answer = isRunning ? await askGateway(url, token, model) : await lookHere(model, terminal)
  const shown = visibleLine(model)
  if (answer === 'missing')
    throw new UserError(
      'data',
      `The gateway has no model named ${shown}. List the models with: toolglot models`,
    )
  if (answer === 'unknown')
    warn(`The model ${shown} could not be checked: no list of models is available.`, terminal)
}

type Answer = 'there' | 'missing' | 'unknown'

async function askGateway(url: string, token: string, model: string): Promise<Answer> {
  try {
    const response = await fetch(`${url}/v1/models/${encodeURIComponent(model)}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(10_000),
    })
    const body = (await response.json()) as { error?: { code?: unknown } } | null
    if (response.ok) return 'there'
    return body?.error?.code === 'model_not_found' ? 'missing' : 'unknown'
  } catch {
    // The server does not answer, or is not a gateway.
    return 'unknown'
  }
}

async function lookHere(model: string, terminal: Terminal): Promise<Answer> {
  const { workspaceModels } = await import('@toolglot/server')
  const models = workspaceModels(await workspaceOf({}, terminal))
  const { signal } = new AbortController()
  try {
    if (await models.find(model, signal)) return 'there'
    const others = (await models.list(signal)).filter(({ name }) => name !== 'default')
    return others.length > 0 ? 'missing' : 'unknown'
  } catch {
    // The settings are invalid, or the model is not available at the moment.
    return 'unknown'
  }
}
