import type { ModelServer } from '../http/model-server.ts'
import { timeLimit } from '../../time/time-limit.ts'
import { readWholeText } from '../http/read-text.ts'

/** The names of the models on a server; undefined if it has no list of them. */
export async function listModels(
  server: Pick<ModelServer, 'send'>,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const limit = timeLimit(2000, signal)
  try {
    const response = await server.send('models', { signal: limit.signal })
    if (!response.ok) return undefined
    return namesIn(JSON.parse(await readWholeText(response, 4 << 20)))
  } catch {
    // No list, or an invalid one. It is only used in an error message.
    return undefined
  } finally {
    limit.end()
  }
}

/** The names in `{data: [{id}]}`; undefined if the value is anything else. */
export function namesIn(value: unknown): string[] | undefined {
  const { data } = (value ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) return undefined
  return data
    .map((each) => (each as { id?: unknown } | null)?.id)
    .filter((id) => typeof id === 'string')
}
