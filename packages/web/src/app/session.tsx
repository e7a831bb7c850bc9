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

/** The code of a login link that has not been used yet. */
let given = takeCode()

/** Shows what is below it to a browser that is logged in, and how to log in to any other. */
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
      // This browser may be logged in although the link is an old one.
      if (next !== 'done') await ask()
    }
    // A link that is opened while the page is: only its fragment changes.
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
  // Requests that were sent while the server was gone, or before the login, are sent again.
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

/** Takes the code out of the address: it works once, and nobody should find it in the history. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('login') ?? undefined
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return code
}

/** The server has never answered this page. */
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

/** How to log in. The address stays, so the person returns to the same place. */
function LoggedOut({
  result,
  setResult,
}: {
  /** How the last attempt went. */
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

/** A command for a terminal: of an installed Toolglot, and in a copy of its repository. */
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
