import type { Check } from '../check.ts'

const advice =
  'To let models search the web, set SEARXNG_URL, BRAVE_API_KEY, TAVILY_API_KEY or EXA_API_KEY.'

export const webSearch: Check = {
  name: 'web search',
  async run({ terminal }) {
    const { searchProviderFrom } = await import('@toolglot/tools')
    const { SEARXNG_URL } = terminal.env
    if (SEARXNG_URL && !URL.canParse(SEARXNG_URL))
      return { status: 'warning', says: `SEARXNG_URL is not a URL: ${SEARXNG_URL}`, advice }
    const provider = searchProviderFrom(terminal.env)
    return provider
      ? { status: 'ok', says: provider.name }
      : { status: 'missing', says: 'no search engine configured', advice }
  },
}
