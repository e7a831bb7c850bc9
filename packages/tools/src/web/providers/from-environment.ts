import type { SearchProvider } from '../search-provider.ts'
import { brave } from './brave.ts'
import { exa } from './exa.ts'
import { searxng } from './searxng.ts'
import { tavily } from './tavily.ts'

/** The search provider configured in the user's environment, if any. Never pass values from a project's files. */
export function searchProviderFrom(
  environment: Readonly<Record<string, string | undefined>>,
): SearchProvider | undefined {
  const { SEARXNG_URL, BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY } = environment
  if (SEARXNG_URL) return searxng({ url: SEARXNG_URL })
  if (BRAVE_API_KEY) return brave({ key: BRAVE_API_KEY })
  if (TAVILY_API_KEY) return tavily({ key: TAVILY_API_KEY })
  return EXA_API_KEY ? exa({ key: EXA_API_KEY }) : undefined
}
