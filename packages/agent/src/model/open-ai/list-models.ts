import { timeLimit } from '../../time/time-limit.ts'
import { readAll } from '../read-text.ts'

/** The names of the models a server has; undefined where it does not tell. */
export async function listModels(
  send: (path: string, init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const limit = timeLimit(2000, signal)
  try {
    const response = await send('models', { signal: limit.signal })
    if (!response.ok) return undefined
    return namesIn(JSON.parse(await readAll(response, 4 << 20)))
  } catch {
    // It has no such list, or it is no list of names: it is only wanted for a message.
    return undefined
  } finally {
    limit.end()
  }
}

/** The names in `{data: [{id}]}`; undefined where it is something else. */
export function namesIn(value: unknown): string[] | undefined {
  const { data } = (value ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) return undefined
  return data
    .map((each) => (each as { id?: unknown } | null)?.id)
    .filter((id) => typeof id === 'string')
}
