import { randomBytes } from 'node:crypto'
import type { SharedValues } from '@toolglot/agent/journal/internal'
import { CODE_LIFE, countFailures, type Login, loginUrl, SESSION_LIFE } from './login.ts'
import { createRecent } from './recent.ts'
import { digestOf } from './tokens.ts'

/** A link that logs a browser in once, within ten minutes, at any of the servers that share these values. */
export async function createSharedLoginLink(url: string, values: SharedValues): Promise<string> {
  const code = newSecret()
  await values.add(CODES, digest(code), {}, { lifetime: CODE_LIFE })
  return loginUrl(url, code)
}

/** Logs browsers in at several servers at once. Of codes and sessions, only digests are kept. */
export function sharedLogin(values: SharedValues, now: () => number = Date.now): Login {
  const failures = countFailures(now)
  const recent = createRecent<boolean>()
  return {
    async exchange(code, cookie) {
      if (!(await values.remove(CODES, digest(code)))) {
        failures.add()
        return undefined
      }
      const session = newSecret()
      await values.add(SESSIONS, digest(`${cookie} ${session}`), {}, { lifetime: SESSION_LIFE })
      return session
    },
    async isValid(session, cookie) {
      const key = digest(`${cookie} ${session}`)
      const isFound = await recent(key, async () => {
        const found = await values.get(SESSIONS, key)
        return found === undefined ? undefined : true
      })
      return isFound === true
    },
    async end(session, cookie) {
      await values.remove(SESSIONS, digest(`${cookie} ${session}`))
    },
    wait: failures.wait,
  }
}

/** The digests of codes that were not used yet, and of sessions, each with the cookie that it is for. */
export const CODES = 'login-codes'
export const SESSIONS = 'sessions'

function digest(secret: string): string {
  return digestOf(secret).toString('hex')
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}
