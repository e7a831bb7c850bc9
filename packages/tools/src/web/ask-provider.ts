import { ToolError } from '@toolglot/agent'
import type { z } from 'zod'
import type { WebRequest, WebResponse } from '../host/web.ts'
import type { SearchOptions } from './search-provider.ts'

export interface ProviderRequest extends Pick<WebRequest, 'method' | 'headers' | 'body'> {
  /** The provider's name. */
  readonly name: string
  /** What to say where a status has a meaning of its own. */
  readonly hints?: Readonly<Record<number, string>>
}

/**
 * What a search engine answers. Its address comes from the person's own options, so that any address is permitted, this
 * machine among them; what it sends back is a stranger's all the same.
 */
export async function askProvider<Answer>(
  url: URL,
  schema: z.ZodType<Answer>,
  { name, hints = {}, headers, ...request }: ProviderRequest,
  { web, signal }: SearchOptions,
): Promise<Answer> {
  const response = await web.request(url, {
    ...request,
    headers: { accept: 'application/json', ...headers },
    signal,
    maxBytes: 5_000_000,
    permit: () => {},
  })
  if (response.status !== 200) throw statusError(name, response.status, hints)
  const answer = schema.safeParse(parseJson(response))
  if (answer.success) return answer.data
  throw new ToolError(
    'execution_failed',
    `${name} answered something that is no list of results. Check its address in the settings, or use another provider.`,
    { code: 'provider_answer' },
  )
}

function statusError(
  name: string,
  status: number,
  hints: ProviderRequest['hints'] = {},
): ToolError {
  const hint =
    hints[status] ??
    (status === 401 || status === 403
      ? 'The key is not accepted: a person must check it.'
      : status === 429
        ? 'Too much was asked: wait a while before the next search.'
        : 'Try again later, or use another provider.')
  return new ToolError('execution_failed', `${name} answers ${status}. ${hint}`, {
    code: status === 429 ? 'rate_limited' : 'provider_status',
    status,
  })
}

function parseJson({ body }: WebResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    // No JSON, so no results.
    return undefined
  }
}
