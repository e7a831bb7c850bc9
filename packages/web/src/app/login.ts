import { ask } from './connection.ts'
import { forgetStored, writeStored } from './stored.ts'

/** The result of a login. */
export type LoginResult = 'done' | 'refused' | 'too-many' | 'no-answer'

/** Tabs of one browser share their login. The tab that changes it notifies the others. */
const CHANGED = 'toolglot-login'
const OUT = 'out'

/** Logs this browser in with the single-use code of a login link. */
export async function logIn(code: string): Promise<LoginResult> {
  const response = await send('/api/login', { code })
  if (!response) return 'no-answer'
  if (!response.ok) return response.status === 429 ? 'too-many' : 'refused'
  writeStored(CHANGED, String(Date.now()))
  await ask()
  return 'done'
}

/** Ends the session of this browser in all tabs. */
export async function logOut(): Promise<void> {
  if (!(await send('/api/logout', {}))) return
  writeStored(CHANGED, `${OUT} ${Date.now()}`)
  forget()
}

/** Keeps only the theme and the language: views, drafts and tool results are removed. */
function forget(): void {
  forgetStored()
  location.reload()
}

/**
 * Calls back when another tab logs in. If another tab logs out, so does this one. Returns a
 * function that stops listening.
 */
export function onLoginElsewhere(listener: () => void): () => void {
  const hear = ({ key, newValue }: StorageEvent): void => {
    if (key !== CHANGED || newValue === null) return
    if (newValue.startsWith(OUT)) forget()
    else listener()
  }
  addEventListener('storage', hear)
  return () => removeEventListener('storage', hear)
}

async function send(path: string, body: object): Promise<Response | undefined> {
  try {
    return await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-toolglot': '1' },
      body: JSON.stringify(body),
    })
  } catch {
    // The server did not answer; the caller shows that.
    return undefined
  }
}

/**
 * The login code in pasted text: a login link, the end of one, or the code itself. Undefined if
 * there is none.
 */
export function loginCode(pasted: string): string | undefined {
  const text = pasted.trim()
  const code = /#login=([^&\s]+)/.exec(text)?.[1] ?? text
  return /^[\w.-]+$/.test(code) ? code : undefined
}
