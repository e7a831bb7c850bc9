import { useState, type FormEvent, type ReactNode } from 'react'
import { Banner } from '../ui/banner.tsx'
import { type Key, useWords } from '../words/words.ts'
import { logIn, type LoginResult } from './login.ts'
import { Logo } from './logo.tsx'
import { TerminalCommands } from './terminal-commands.tsx'

const PROBLEMS: Readonly<Record<Exclude<LoginResult, 'done'>, Key>> = {
  refused: 'shell.login.refused',
  'too-many': 'shell.login.tooMany',
  'no-answer': 'shell.login.noAnswer',
}

/** How to log in. The address stays: whoever logs in is where they were. */
export function LoggedOut({
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
    <main className="whole-page">
      <div className="brand">
        <Logo />
        Toolglot
      </div>
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
    </main>
  )
}

/** The code in what somebody pasted: a login link, the end of one, or the code itself; undefined if there is none. */
export function loginCode(pasted: string): string | undefined {
  const text = pasted.trim()
  const code = /#login=([^&\s]+)/.exec(text)?.[1] ?? text
  return /^[\w.-]+$/.test(code) ? code : undefined
}
