import { z } from 'zod'
import { askProvider, type SearchProvider, type KeyOptions } from '../search-provider.ts'

/** Tavily: POST /search with the key as bearer token; at most 20 results. */
export function tavily({ key, url = 'https://api.tavily.com/search' }: KeyOptions): SearchProvider {
  return {
    name: 'Tavily',
    async search({ query, allowed, blocked, maxResults }, options) {
      const request = {
        name: 'Tavily',
        method: 'POST' as const,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          query,
          max_results: Math.min(maxResults, 20),
          search_depth: 'basic',
          include_domains: allowed.length > 0 ? allowed : undefined,
          exclude_domains: blocked.length > 0 ? blocked : undefined,
        }),
        hints: {
          432: 'The plan limit of the API key is exceeded: ask the user to check it.',
          433: 'The pay-as-you-go limit of the API key is exceeded: ask the user to check it.',
        },
      }
      const { results } = await askProvider(new URL(url), schema, request, options)
      return results.map(({ title, url, content }) => ({ title, url, snippet: content ?? '' }))
    },
  }
}

const schema = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), content: z.string().nullish() })),
})
