import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode, type FormEvent } from 'react'
import { ask, useConnection } from './connection.ts'
import { logIn, type LoginResult, onLoginElsewhere, loginCode } from './login.ts'
import { useWords, type Key } from '../words/words.ts'
import { BRAND, Logo } from './logo.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'

const PROBLEMS: Readonly<Record<Exclude<LoginResult, 'done'>, Key>> = {
  refused: 'shell.login.refused',
  'too-many': 'shell.login.tooMany',
  'no-answer': 'shell.login.noAnswer',
}

/** The unused code of a login link. */
let given = takeCode()

/** Shows its children once the user is logged in, and the login page otherwise. */
export function Session({ children }: { readonly children: ReactNode }): ReactNode {
  const queries = useQueryClient()
  const { isLoggedIn, isLost } = useConnection()
  const [result, setResult] = useState<LoginResult>()
  useEffect(() => {
    const begin = async (): Promise<void> => {
      const code = given
      given = undefined
      if (code === undefined) return await ask()
      const next = await logIn(code)
      setResult(next)
      // The browser may already be logged in, even if the link is expired.
      if (next !== 'done') await ask()
    }
    // If a login link is opened in this tab, only the fragment changes.
    const again = (): void => {
      given = takeCode()
      if (given !== undefined) void begin()
    }
    void begin()
    addEventListener('hashchange', again)
    const stopHearing = onLoginElsewhere(() => void ask())
    return () => {
      removeEventListener('hashchange', again)
      stopHearing()
    }
  }, [])
  // After a reconnect or a login, failed requests are repeated.
  const isUsable = isLoggedIn === true && !isLost
  const wasUsable = useRef(isUsable)
  useEffect(() => {
    if (isUsable && !wasUsable.current) void queries.invalidateQueries()
    wasUsable.current = isUsable
  }, [isUsable, queries])
  if (isLoggedIn === false) return <LoggedOut {...{ result, setResult }} />
  if (isLoggedIn) return children
  return isLost && <Unreachable />
}

/** Removes the single-use code from the address, so that it does not stay in the history. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('login') ?? undefined
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return code
}

/** Shown if the server has never answered. */
function Unreachable(): ReactNode {
  const { t } = useWords()
  return (
    <WholePage>
      <h1 className="text-18 font-600">{t('shell.unreachable')}</h1>
      <p className="text-ink-2">{t('shell.unreachable.how')}</p>
      <TerminalCommands command="serve" />
    </WholePage>
  )
}

/** The login page. The address is kept, so the user returns to the same view. */
function LoggedOut({
  result,
  setResult,
}: {
  /** The result of the last attempt. */
  readonly result: LoginResult | undefined
  readonly setResult: (result: LoginResult) => void
}): ReactNode {
  const { t } = useWords()
  const [pasted, setPasted] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const code = loginCode(pasted)
    if (code === undefined) return setResult('refused')
    setBusy(true)
    setResult(await logIn(code))
    setBusy(false)
  }
  return (
    <WholePage>
      <h1 className="text-18 font-600">{t('shell.loggedOut')}</h1>
      {result !== undefined && result !== 'done' && (
        <Banner kind="no" icon="shield">
          {t(PROBLEMS[result])}
        </Banner>
      )}
      <p className="text-ink-2">{t('shell.loggedOut.how')}</p>
      <TerminalCommands command="token --link" />
      <form className="cluster flex-nowrap" onSubmit={(event) => void submit(event)}>
        <label className="field flex-1">
          <span className="sr-only">{t('shell.login.link')}</span>
          <input
            value={pasted}
            onChange={({ target }) => setPasted(target.value)}
            placeholder={t('shell.login.link')}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <Button type="submit" look="primary" disabled={isBusy || pasted.trim() === ''}>
          {t('shell.login')}
        </Button>
      </form>
    </WholePage>
  )
}

/** Terminal commands: for an installed Toolglot, and for a clone of its repository. */
function TerminalCommands({ command }: { readonly command: string }): ReactNode {
  const { t } = useWords()
  const installed = `toolglot ${command}`
  const cloned = `npm start -- ${command}`
  return (
    <>
      <pre className="code">{installed}</pre>
      <p className="text-ink-2">{t('shell.inClone')}</p>
      <pre className="code">{cloned}</pre>
    </>
  )
}

function WholePage({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <main className="mx-auto grid min-h-dvh w-[min(460px,calc(100vw-32px))] content-center gap-3.5 [&_.button]:h-9 [&_.field]:h-9">
      <div className={BRAND}>
        <Logo />
        Toolglot
      </div>
      {children}
    </main>
  )
}
