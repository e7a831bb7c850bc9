import { alreadyExists } from '@toolglot/permissions/errors/internal'
import { randomBytes } from 'node:crypto'
import type { SharedValues } from '@toolglot/agent/journal/internal'
import { CODE_LIFE, countFailures, type Login, loginUrl, SESSION_LIFE } from './login.ts'
import { digestOf, checkName, newToken, type TokenEntry, tooMany, type Tokens } from './tokens.ts'
import { UserError } from '@toolglot/workspace'
import type { Scope } from '../route.ts'

/**
 * Looks up a value, unless it was found within the last second. Values removed elsewhere remain
 * valid for at most that long.
 */
type Recent<Value> = (
  key: string,
  find: () => Promise<Value | undefined>,
) => Promise<Value | undefined>

/**
 * Caches found values for a second, so that not every request queries the database. Missing values
 * are looked up every time.
 */
function createRecent<Value>(now: () => number = () => performance.now()): Recent<Value> {
  const found = new Map<string, { readonly value: Value; readonly until: number }>()
  return async (key, find) => {
    const known = found.get(key)
    if (known && now() < known.until) return known.value
    found.delete(key)
    const until = now() + SECOND
    const value = await find()
    if (value === undefined) return undefined
    // The oldest comes first.
    for (const [other, { until: end }] of found) {
      if (end > now() && found.size < MAX_FOUND) break
      found.delete(other)
    }
    found.set(key, { value, until })
    return value
  }
}

const SECOND = 1000
const MAX_FOUND = 1000

/**
 * A link that logs a browser in once, within ten minutes, to any of the servers that share these
 * values.
 */
export async function createSharedLoginLink(url: string, values: SharedValues): Promise<string> {
  const code = newSecret()
  await values.add(CODES, digest(code), {}, { lifetime: CODE_LIFE })
  return loginUrl(url, code)
}

/**
 * Logs browsers in to all servers that share these values. Only digests of codes and sessions are
 * stored.
 */
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

/** The digests of unused codes and of sessions, each with its cookie. */
const CODES = 'login-codes'
const SESSIONS = 'sessions'

function digest(secret: string): string {
  return digestOf(secret).toString('hex')
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The tokens shared by several servers, and this machine's own. */
export interface SharedTokens {
  /** The main token of this machine. Other servers don't accept it. */
  main(): string
  /**
   * The entry of a token, or undefined. A token revoked elsewhere remains valid for at most a
   * second.
   */
  find(presented: string): Promise<TokenEntry | undefined>
  list(): Promise<readonly TokenEntry[]>
  /** Creates a token for all servers and returns it. Only its digest is stored. */
  create(name: string, scopes: readonly Scope[]): Promise<string>
  revoke(name: string): Promise<boolean>
  /** Replaces the main token of this machine, and ends all logins on all servers. */
  rotate(): Promise<string>
}

/** Opens the tokens shared by servers. `own` are this machine's tokens. */
export function sharedTokens(values: SharedValues, own: Tokens): SharedTokens {
  const recent = createRecent<TokenEntry>()

  async function list(): Promise<readonly TokenEntry[]> {
    const shared = await values.list(TOKENS)
    return [...own.list(), ...[...shared.values()].map((entry) => entry as TokenEntry)]
  }

  return {
    main: () => own.main(),
    async find(presented) {
      const local = own.find(presented)
      if (local) return local
      const digest = hexDigest(presented)
      return recent(
        digest,
        async () => (await values.get(TOKENS, digest)) as TokenEntry | undefined,
      )
    },
    list,
    async create(name, scopes) {
      checkName(name)
      const known = await list()
      if (known.some((each) => each.name === name)) throw nameTaken(name)
      tooMany(known.length)
      const token = newToken()
      const digest = hexDigest(token)
      // Another process may choose the same name at the same time.
      if (!(await values.add(NAMES, name, digest))) throw nameTaken(name)
      const entry: TokenEntry = { name, scopes, created: Date.now() }
      await values.add(TOKENS, digest, entry)
      return token
    },
    async revoke(name) {
      const digest = await values.get(NAMES, name)
      if (typeof digest === 'string') {
        await values.remove(TOKENS, digest)
        return values.remove(NAMES, name)
      }
      return own.list().some((each) => each.name === name) && own.revoke(name)
    },
    async rotate() {
      const main = own.rotate()
      await values.clear(SESSIONS)
      await values.clear(CODES)
      return main
    },
  }
}

/** The scope of each token by its digest, and the digest by the token's name. */
const TOKENS = 'tokens'
const NAMES = 'token-names'

function hexDigest(token: string): string {
  return digestOf(token).toString('hex')
}

function nameTaken(name: string): UserError {
  return new UserError(
    'usage',
    alreadyExists('token', name, 'Choose another name, or revoke that token first'),
  )
}
