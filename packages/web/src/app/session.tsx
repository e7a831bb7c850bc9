import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ask, useConnection } from './connection.ts'
import { LoggedOut } from './logged-out.tsx'
import { logIn, type LoginResult, onLoginElsewhere } from './login.ts'
import { useWords } from '../words/words.ts'
import { Logo } from './logo.tsx'
import { TerminalCommands } from './terminal-commands.tsx'

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
  // What was asked while the server was gone, or before somebody logged in, is asked again.
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
    <main className="whole-page">
      <div className="brand">
        <Logo />
        Toolglot
      </div>
      <h1>{t('shell.unreachable')}</h1>
      <p className="dim">{t('shell.unreachable.how')}</p>
      <TerminalCommands command="serve" />
    </main>
  )
}
