import { readUrl } from '@toolglot/permissions/internal'
import { sliceText } from './slice-text.ts'
import { isInDomains } from './domains.ts'
import type { SearchQuery, SearchResult } from './search-provider.ts'

/** Cleans up results: drops invalid URLs, duplicates and unwanted domains, and limits their number. */
export function tidyResults(
  results: readonly SearchResult[],
  { allowed, blocked, maxResults }: SearchQuery,
): SearchResult[] {
  const tidy = new Map<string, SearchResult>()
  for (const { title, url, snippet } of results) {
    const read = readUrl(url)
    if (typeof read === 'string' || isInDomains(read.host, blocked)) continue
    if (allowed.length > 0 && !isInDomains(read.host, allowed)) continue
    const { href } = read.url
    if (!tidy.has(href))
      tidy.set(href, { title: oneLine(title, 300), url: href, snippet: oneLine(snippet, 1000) })
  }
  return [...tidy.values()].slice(0, maxResults)
}

function oneLine(text: string, maxLength: number): string {
  const line = text.split(/\s+/).join(' ').trim()
  const { text: start, next } = sliceText(line, 0, maxLength)
  return next === undefined ? start : `${start}…`
}
