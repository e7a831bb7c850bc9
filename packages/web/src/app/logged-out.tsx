import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Banner } from '../ui/banner.tsx'
import type { Key } from '../words/words.ts'
import { useWords } from '../words/words.ts'
import { loginCode } from './login-code.ts'
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
