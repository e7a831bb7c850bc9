import { readUrl } from '@toolglot/permissions/internal'
import { cut } from './slice-text.ts'
import { isWithin } from './domains.ts'
import type { SearchQuery, SearchResult } from './search-provider.ts'

/** What an engine found, held to what was asked, whatever the engine made of that: pages only, each once, no more than wanted. */
export function tidyResults(
  results: readonly SearchResult[],
  { allowed, blocked, most }: SearchQuery,
): SearchResult[] {
  const tidy = new Map<string, SearchResult>()
  for (const { title, url, snippet } of results) {
    const read = readUrl(url)
    if (typeof read === 'string' || isWithin(read.host, blocked)) continue
    if (allowed.length > 0 && !isWithin(read.host, allowed)) continue
    const { href } = read.url
    if (!tidy.has(href))
      tidy.set(href, { title: oneLine(title, 300), url: href, snippet: oneLine(snippet, 1000) })
  }
  return [...tidy.values()].slice(0, most)
}

function oneLine(text: string, most: number): string {
  const line = text.split(/\s+/).join(' ').trim()
  const { text: start, next } = cut(line, 0, most)
  return next === undefined ? start : `${start}…`
}
