import type { ReactNode } from 'react'

import { useWords } from '../words/words.ts'
import { useConnection } from './connection.ts'
import { LookButtons } from './look-buttons.tsx'

/** Whether the server answers and where it is, light or dark, and the language. */
export function SideFooter(): ReactNode {
  const { t } = useWords()
  const { isLost } = useConnection()
  const state = t(isLost ? 'shell.connecting' : 'shell.connected')
  return (
    <footer>
      <span className="live" title={`${state} · ${location.host}`}>
        <i className={`dot ${isLost ? 'no' : 'ok'}`} />
        <span className="cut">
          {state}
          <span className="cut block dim-2">{location.host}</span>
        </span>
      </span>
      <LookButtons side="top" />
    </footer>
  )
}
