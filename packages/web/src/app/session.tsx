import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode, type FormEvent } from 'react'
import { ask, useConnection } from './connection.ts'
import { logIn, type LoginResult, onLoginElsewhere, loginCode } from './login.ts'
import { useWords, type Key } from '../words/words.ts'
import { Logo } from './logo.tsx'
import { Banner } from '../ui/banner.tsx'

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
      <h1>{t('shell.unreachable')}</h1>
      <p className="dim">{t('shell.unreachable.how')}</p>
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
      <h1>{t('shell.loggedOut')}</h1>
      {result !== undefined && result !== 'done' && (
        <Banner kind="no" icon="shield">
          {t(PROBLEMS[result])}
        </Banner>
      )}
      <p className="dim">{t('shell.loggedOut.how')}</p>
      <TerminalCommands command="token --link" />
      <form className="rowline flex-nowrap" onSubmit={(event) => void submit(event)}>
        <label className="field grow">
          <span className="sr">{t('shell.login.link')}</span>
          <input
            value={pasted}
            onChange={({ target }) => setPasted(target.value)}
            placeholder={t('shell.login.link')}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <button type="submit" className="btn pri" disabled={isBusy || pasted.trim() === ''}>
          {t('shell.login')}
        </button>
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
      <p className="dim">{t('shell.inClone')}</p>
      <pre className="code">{cloned}</pre>
    </>
  )
}

function WholePage({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <main className="whole-page">
      <div className="brand">
        <Logo />
        Toolglot
      </div>
      {children}
    </main>
  )
}
