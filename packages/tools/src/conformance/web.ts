import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CheckContext, type Check, check } from './check.ts'
import type { ConformanceTarget } from './target.ts'

const PAGE = `<!doctype html><title>Errors</title><article><h1>Error handling</h1>
<p>Library routines must often return <strong>some sort</strong> of error indication to the caller.</p>
<ul><li>first</li><li>second</li></ul></article>`

const answers: RequestListener = (request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://localhost')
  const html = { 'content-type': 'text/html; charset=utf-8' }
  if (pathname === '/page') response.writeHead(200, html).end(PAGE)
  else if (pathname === '/moved') response.writeHead(301, { location: '/page' }).end()
  else if (pathname === '/away')
    response.writeHead(302, { location: 'http://elsewhere.example/' }).end()
  else if (pathname === '/search') {
    const results = ['go.dev/context', 'example.org/context'].map((place) => ({
      title: 'About context',
      url: `https://${place}`,
      content: 'A snippet',
    }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
  } else if (pathname === '/broken') request.socket.destroy()
  else response.writeHead(404).end()
}

/** A check with a real local web server, which the rules allow. */
function checkWithServer(
  id: string,
  about: string,
  work: (context: CheckContext, url: string, requestCount: () => number) => Promise<void>,
): Check {
  return {
    id,
    about,
    async run(target: ConformanceTarget) {
      let requestCount = 0
      const server = createServer((request, response) => {
        requestCount++
        answers(request, response)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      try {
        await check(id, about, (context) => work(context, url, () => requestCount), {
          allow: ['WebFetch(domain:127.0.0.1)', 'WebSearch'],
          deny: ['WebFetch(domain:*.example)'],
          search: url,
        }).run(target)
      } finally {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

/** Checks of WebFetch and WebSearch. */
export const web: readonly Check[] = [
  checkWithServer('T3.1', 'WebFetch: a page as Markdown', async ({ result }, url) => {
    const { content } = await result('WebFetch', { url: `${url}/page`, prompt: 'errors' })
    match(String(content), /\*\*some sort\*\*/)
    match(String(content), /^- first$/m)
    ok(!String(content).includes('<p>'))
  }),

  checkWithServer(
    'T3.1',
    'WebFetch: a redirect on the same host is followed',
    async ({ result }, url) => {
      const { final_url, content } = await result('WebFetch', { url: `${url}/moved`, prompt: '' })
      equal(final_url, `${url}/page`)
      match(String(content), /some sort/)
    },
  ),

  checkWithServer('T3.1', 'WebFetch: a missing page', async ({ failure }, url) => {
    const { error_type } = await failure('WebFetch', { url: `${url}/none`, prompt: '' })
    equal(error_type, 'not_found')
  }),

  checkWithServer(
    'ToolError',
    'WebFetch: a server that does not answer',
    async ({ failure }, url) => {
      const { tool, error_type, message } = await failure('WebFetch', {
        url: `${url}/broken`,
        prompt: '',
      })
      equal(tool, 'WebFetch')
      equal(error_type, 'execution_failed')
      match(message, /127\.0\.0\.1/)
    },
  ),

  checkWithServer(
    'T3.2',
    'WebSearch: titles, URLs and snippets, limited to domains',
    async (context) => {
      const args = { query: 'context', allowed_domains: ['go.dev'] }
      deepEqual((await context.result('WebSearch', args))['results'], [
        { title: 'About context', url: 'https://go.dev/context', snippet: 'A snippet' },
      ])
    },
  ),

  checkWithServer(
    'P2.1',
    'a domain without a rule is not contacted',
    async (context, url, requestCount) => {
      const other = url.replace('127.0.0.1', 'localhost')
      const { error_type } = await context.failure('WebFetch', { url: `${other}/page`, prompt: '' })
      equal(error_type, 'permission_denied')
      equal(requestCount(), 0)
    },
  ),

  checkWithServer('P2.1', 'a redirect does not bypass a rule', async (context, url) => {
    const outcome = await context.call('WebFetch', { url: `${url}/away`, prompt: '' })
    if (outcome.status === 'error') equal(outcome.failure.error_type, 'permission_denied')
    else equal((outcome.result as Record<string, unknown>)['redirect'], 'http://elsewhere.example/')
  }),

  checkWithServer('P2.2', 'a rule for subdomains', async ({ failure }) => {
    const url = 'https://docs.example/'
    const { error_type, details } = await failure('WebFetch', { url, prompt: '' })
    equal(error_type, 'permission_denied')
    equal(details?.['matched_rule'], 'WebFetch(domain:*.example)')
  }),
]
