import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { Logo } from './logo.tsx'
import { TerminalCommands } from './terminal-commands.tsx'

/** The server has never answered this page. */
export function Unreachable(): ReactNode {
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
