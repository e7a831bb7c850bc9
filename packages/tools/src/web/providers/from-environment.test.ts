import { expect, test } from 'vitest'
import { searchProviderFrom } from './from-environment.ts'

test.each([
  [{ SEARXNG_URL: 'http://localhost:8080', EXA_API_KEY: 'k' }, 'SearXNG'],
  [{ BRAVE_API_KEY: 'k' }, 'Brave'],
  [{ TAVILY_API_KEY: 'k' }, 'Tavily'],
  [{ EXA_API_KEY: 'k', BRAVE_API_KEY: '' }, 'Exa'],
  [{ HOME: '/' }, undefined],
])('%o selects %s', (environment, name) => {
  expect(searchProviderFrom(environment)?.name).toBe(name)
})
