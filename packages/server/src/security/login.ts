// Folder: Tokens, origins and rate limits.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Tokens } from './tokens.ts'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { writeWhole } from '@toolglot/workspace/internal'

/** The lifetime of a code and of a session, in milliseconds. */
export const CODE_LIFE: number = 10 * 60_000
export const SESSION_LIFE: number = 7 * 24 * 60 * 60_000
const MAX_FAILED = 10
const FAILED_WINDOW = 60_000
/** The maximum number of used codes and ended sessions that are remembered until they expire. */
const MAX_REMEMBERED = 10_000

/**
 * A link that logs a browser in once, within ten minutes. Any process that can read the main token
 * can create one.
 */
export function createLoginLink(url: string, tokens: Pick<Tokens, 'main'>): string {
  const code = sign(tokens.main(), 'login', `${Date.now().toString(36)}.${randomId()}`)
  return loginUrl(url, code)
}

/** The link with a code. */
export function loginUrl(url: string, code: string): string {
  // A fragment is not sent to servers, so no log contains it.
  return new URL(`/#login=${code}`, url).href
}

/** Logs browsers in: exchanges a code for a session. */
export interface Login {
  /**
   * Exchanges a code for a session, to be stored in the cookie with this name. Returns undefined if
   * the code is wrong, used or expired.
   */
  exchange(code: string, cookie: string): string | undefined | Promise<string | undefined>
  /** True if a session is valid for the cookie that contained it. */
  isValid(session: string, cookie: string): boolean | Promise<boolean>
  /** Ends a session. */
  end(session: string, cookie: string): void | Promise<void>
  /** The required waiting time in seconds after too many wrong codes; 0 if no wait is required. */
  wait(): number
}

/** The login of a single server. */
export interface OwnLogin extends Login {
  exchange(code: string, cookie: string): string | undefined
  isValid(session: string, cookie: string): boolean
  end(session: string): void
}

/** Creates the login of a server. If the main token cannot be read, no login is valid. */
export function createLogin(
  tokens: Pick<Tokens, 'tryMain'>,
  now: () => number = Date.now,
  kept?: EndedSessions,
): OwnLogin {
  // The list of used codes is lost at a restart, so codes from before it are rejected.
  const began = now()
  const used = new Map<string, number>()
  const ended = new Map(kept?.load())
  const failures = countFailures(now)

  return {
    exchange(code, cookie) {
      const main = tokens.tryMain()
      if (main === undefined) return undefined
      const time = now()
      const [issuedText = '', id = ''] = verify(main, 'login', code)
      const issued = Number.parseInt(issuedText, 36)
      const isFresh = issued >= began && issued <= time && time < issued + CODE_LIFE
      if (!isFresh || used.has(id)) {
        failures.add()
        return undefined
      }
      remember(used, id, issued + CODE_LIFE, time)
      const expires = (time + SESSION_LIFE).toString(36)
      return sign(main, `session ${cookie}`, `${expires}.${randomId()}`)
    },
    isValid(session, cookie) {
      const main = tokens.tryMain()
      if (main === undefined) return false
      const [expires = '', id = ''] = verify(main, `session ${cookie}`, session)
      return now() < Number.parseInt(expires, 36) && !ended.has(id)
    },
    end(session) {
      const [expires = '', id = ''] = session.split('.')
      remember(ended, id, Number.parseInt(expires, 36), now())
      kept?.save([...ended])
    },
    wait: failures.wait,
  }
}

/** Counts wrong codes. After too many of them, all clients have to wait. */
export function countFailures(now: () => number): {
  readonly add: () => void
  readonly wait: () => number
} {
  let failed: number[] = []
  return {
    add() {
      failed = [...failed.slice(1 - MAX_FAILED), now()]
    },
    wait() {
      const time = now()
      failed = failed.filter((each) => time - each < FAILED_WINDOW)
      if (failed.length < MAX_FAILED) return 0
      return Math.ceil((failed[0]! + FAILED_WINDOW - time) / 1000)
    },
  }
}

/** The name of the cookie. It contains the port, because browsers share cookies between ports. */
export function cookieName(host: string, secure: boolean): string {
  const port = /:(\d+)$/.exec(host)?.[1] ?? (secure ? '443' : '80')
  return `${secure ? '__Host-' : ''}toolglot_${port}`
}

/** The header that stores a session in a browser. An empty session removes it. */
export function setCookie(name: string, session: string, secure: boolean): string {
  const life = session === '' ? 0 : SESSION_LIFE / 1000
  return `${name}=${session}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}

/**
 * The values of the cookies with this name. There may be several, because pages on other ports can
 * also set them.
 */
export function cookiesIn(header: string | null, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1))
}

/**
 * Signs a content for one purpose: a code can't be used as a session, and a session is valid for
 * one cookie only.
 */
function sign(token: string, purpose: string, content: string): string {
  return `${content}.${signature(token, purpose, content)}`
}

/** The parts of a signed text, or none if the signature is wrong. */
function verify(token: string, purpose: string, signed: string): string[] {
  if (signed.length > 200) return []
  const dot = signed.lastIndexOf('.')
  const content = signed.slice(0, Math.max(0, dot))
  const expected = Buffer.from(signature(token, purpose, content))
  const given = Buffer.from(signed.slice(dot + 1))
  const isRight = given.length === expected.length && timingSafeEqual(given, expected)
  return isRight ? content.split('.') : []
}

function signature(token: string, purpose: string, content: string): string {
  return createHmac('sha256', `toolglot browser login\n${token}`)
    .update(`${purpose}\n${content}`)
    .digest('base64url')
}

function remember(seen: Map<string, number>, id: string, until: number, now: number): void {
  for (const [other, end] of seen) {
    if (end > now && seen.size < MAX_REMEMBERED) break
    seen.delete(other)
  }
  seen.set(id, until)
}

function randomId(): string {
  return randomBytes(16).toString('base64url')
}

/** The store of ended sessions, with the time at which each would have expired. */
interface EndedSessions {
  load(): readonly (readonly [id: string, until: number])[]
  save(ended: readonly (readonly [id: string, until: number])[]): void
}

const MAX_BYTES = 4 << 20

/**
 * Stores ended sessions in a file, so that they stay ended after a restart. An id alone is useless
 * to an attacker.
 */
export function endedSessionsFile(
  file: string,
  onProblem?: (error: unknown) => void,
): EndedSessions {
  const load = (): [string, number][] => {
    try {
      const value = JSON.parse(readSmallFile(file, MAX_BYTES) ?? '{}') as unknown
      return Object.entries(Object(value) as Record<string, unknown>).filter(
        (each): each is [string, number] => typeof each[1] === 'number',
      )
    } catch (error) {
      onProblem?.(error)
      return []
    }
  }
  return {
    load,
    save(ended) {
      try {
        const now = Date.now()
        // Another server may use the same folder.
        const all = [...load(), ...ended].filter(([, until]) => until > now)
        writeWhole(file, `${JSON.stringify(Object.fromEntries(all))}\n`)
      } catch (error) {
        onProblem?.(error)
      }
    },
  }
}
