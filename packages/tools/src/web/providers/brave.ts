import { z } from 'zod'
import { askProvider, type SearchProvider, type KeyOptions } from '../search-provider.ts'
import { withSites } from '../domains.ts'

/**
 * Brave Search: GET /res/v1/web/search with the key in `X-Subscription-Token`; at most 20 results.
 */
export function brave({
  key,
  url: base = 'https://api.search.brave.com/res/v1/web/search',
}: KeyOptions): SearchProvider {
  return {
    name: 'Brave',
    async search(query, options) {
      const url = new URL(base)
      url.searchParams.set('q', withSites(query.query, query))
      url.searchParams.set('count', String(Math.min(query.maxResults, 20)))
      url.searchParams.set('text_decorations', 'false')
      url.searchParams.set('result_filter', 'web')
      const request = {
        name: 'Brave',
        headers: { 'x-subscription-token': key },
        hints: {
          422: 'The query is too long (maximum 400 characters, 50 words) or the API key was rejected.',
        },
      }
      const { web } = await askProvider(url, schema, request, options)
      return (web?.results ?? []).map(({ title, url, description }) => ({
        title,
        url,
        snippet: description ?? '',
      }))
    },
  }
}

const schema = z.object({
  web: z
    .object({
      results: z.array(
        z.object({ title: z.string(), url: z.string(), description: z.string().nullish() }),
      ),
    })
    .nullish(),
})
