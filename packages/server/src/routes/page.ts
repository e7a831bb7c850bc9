import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Route } from '../route.ts'

const FILES = [
  { path: '/', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
  { path: '/page.js', file: 'page.js', type: 'text/javascript; charset=utf-8' },
  { path: '/api/docs', file: 'docs.html', type: 'text/html; charset=utf-8' },
  { path: '/api/docs.css', file: 'docs.css', type: 'text/css; charset=utf-8' },
  { path: '/api/docs.js', file: 'docs.js', type: 'text/javascript; charset=utf-8' },
] as const

/** The routes of the page's files. They are read once: what a request says never becomes a file name. */
export function pageRoutes(): Route[] {
  return FILES.map(({ path, file, type }) => {
    const content = readFileSync(new URL(`../../static/${file}`, import.meta.url))
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`
    // A browser takes the headers of a 304 for those of the page, its policy included, which depends on the type.
    const headers = { 'cache-control': 'no-cache', etag, 'content-type': type }
    return {
      method: 'GET',
      path,
      access: 'open',
      handle(request) {
        if (request.headers.get('if-none-match') === etag) {
          return new Response(null, { status: 304, headers })
        }
        const length = String(content.byteLength)
        return new Response(content, {
          headers: { ...headers, 'content-length': length },
        })
      },
    }
  })
}
