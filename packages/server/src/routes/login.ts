import type { Route } from '../route.ts'
import { HttpError } from '../security/http-error.ts'
import { cookieName, cookiesIn, type Login, setCookie } from '../security/login.ts'

/** The routes that log a browser in and out. */
export function loginRoutes(login: Login): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/login',
      access: 'open',
      maxBody: 1024,
      async handle(request, { host, secure }) {
        const name = cookieName(host, secure)
        const session = await login.exchange(await codeIn(request), name)
        if (session !== undefined) return done(setCookie(name, session, secure))
        const wait = login.wait()
        if (wait > 0) {
          throw new HttpError('rate_limited', 'Too many wrong codes. Try again later.', {
            headers: { 'retry-after': String(wait) },
          })
        }
        throw new HttpError(
          'login_failed',
          'The link is invalid, has expired, or was already used. "toolglot token --link" prints a new one.',
        )
      },
    },
    {
      method: 'POST',
      path: '/api/logout',
      access: 'all',
      maxBody: 1024,
      async handle({ headers }, { host, secure, principal }) {
        const name = cookieName(host, secure)
        if (principal?.by === 'cookie') {
          for (const session of cookiesIn(headers.get('cookie'), name)) {
            if (await login.isValid(session, name)) await login.end(session, name)
          }
        }
        return done(setCookie(name, '', secure))
      },
    },
  ]
}

async function codeIn(request: Request): Promise<string> {
  let body: unknown
  try {
    body = await request.json()
  } catch {
    body = undefined
  }
  const { code } = Object(body) as { code?: unknown }
  if (typeof code === 'string') return code
  throw new HttpError(
    'invalid_request',
    'The body must be {"code": "…"}, with the code of a login link.',
  )
}

function done(cookie: string): Response {
  return new Response(null, { status: 204, headers: { 'set-cookie': cookie } })
}
