import { z } from 'zod'
import { askProvider, type SearchProvider, type KeyOptions } from '../search-provider.ts'

/** Exa: POST /search with the key in `x-api-key`. Results may lack a title; snippets come as highlights. */
export function exa({ key, url = 'https://api.exa.ai/search' }: KeyOptions): SearchProvider {
  return {
    name: 'Exa',
    async search({ query, allowed, blocked, maxResults }, options) {
      const request = {
        name: 'Exa',
        method: 'POST' as const,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({
          query,
          numResults: maxResults,
          contents: { highlights: true },
          includeDomains: allowed.length > 0 ? allowed : undefined,
          excludeDomains: blocked.length > 0 ? blocked : undefined,
        }),
      }
      const { results } = await askProvider(new URL(url), schema, request, options)
      return results.map(({ title, url, highlights, text }) => ({
        title: title ?? url,
        url,
        snippet: highlights?.join(' … ') ?? text ?? '',
      }))
    },
  }
}

const schema = z.object({
  results: z.array(
    z.object({
      title: z.string().nullish(),
      url: z.string(),
      highlights: z.array(z.string()).nullish(),
      text: z.string().nullish(),
    }),
  ),
})
