import { z } from 'zod'
import { askProvider, type SearchProvider } from '../search-provider.ts'
import { withSites } from '../domains.ts'

/** Options for `searxng`. */
export interface SearxngOptions {
  /** The URL of the instance, such as http://localhost:8080/ */
  readonly url: string
}

/** A self-hosted SearXNG: GET /search with `format=json`, which its settings must allow. */
export function searxng({ url: base }: SearxngOptions): SearchProvider {
  return {
    name: 'SearXNG',
    async search(query, options) {
      const url = new URL('search', base.endsWith('/') ? base : `${base}/`)
      url.searchParams.set('q', withSites(query.query, query))
      url.searchParams.set('format', 'json')
      const hints = { 403: 'Its settings.yml must list json under search.formats.' }
      const { results } = await askProvider(url, schema, { name: 'SearXNG', hints }, options)
      return results.map(({ title, url, content }) => ({ title, url, snippet: content ?? '' }))
    },
  }
}

const schema = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), content: z.string().nullish() })),
})
