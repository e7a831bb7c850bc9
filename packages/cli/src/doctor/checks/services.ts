import { searchModels } from '@toolglot/workspace'
import type { Check, Finding } from '../check.ts'

export const model: Check = {
  name: 'model',
  async run({ workspace }) {
    const { choice, probed } = await searchModels(workspace)
    return choice.reference === undefined
      ? {
          status: 'missing',
          says: choice.why,
          advice: 'The built-in demo script answers instead. To get a model, see toolglot models.',
        }
      : { status: 'ok', says: `${choice.reference}: ${choice.why}${howProbed(choice.reference)}` }

    function howProbed(reference: string): string {
      const protocol = probed[reference]
      return protocol === undefined ? '' : `; its call format is ${protocol} (probed)`
    }
  },
}

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

export const server: Check = {
  name: 'server',
  async run({ workspace }) {
    const { rememberedPort, tokensProblem, whoAnswers } = await import('@toolglot/server/internal')
    const { state } = workspace.directories
    const problem = tokensProblem(state)
    const port = rememberedPort(state)
    return [
      portFinding(port, port === undefined ? 'nobody' : await whoAnswers(port)),
      ...(problem === undefined ? [] : [{ status: 'warning' as const, says: problem }]),
    ]
  },
}

function portFinding(port: number | undefined, answer: 'toolglot' | 'another' | 'nobody'): Finding {
  if (port === undefined)
    return {
      status: 'ok',
      says: 'never started; toolglot serve gives other programs a model that can call tools',
    }
  if (answer === 'nobody')
    return { status: 'ok', says: `not running; its last port, ${port}, is free` }
  if (answer === 'toolglot') return { status: 'ok', says: `running at http://127.0.0.1:${port}` }
  return {
    status: 'warning',
    says: `another program is using port ${port}, the server's last port`,
    advice: 'Stop that program, or choose another port with toolglot serve --port.',
  }
}
