import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'

/** A command for a terminal: of an installed Toolglot, and in a copy of its repository. */
export function TerminalCommands({ command }: { readonly command: string }): ReactNode {
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
