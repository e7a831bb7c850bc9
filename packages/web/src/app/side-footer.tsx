import type { ReactNode } from 'react'

import { useWords } from '../words/words.ts'
import { useConnection } from './connection.ts'
import { LookButtons } from './look-buttons.tsx'
import { Dot } from '../ui/dot.tsx'

/** The state and address of the server, the theme and the language. */
export function SideFooter(): ReactNode {
  const { t } = useWords()
  const { isLost } = useConnection()
  const state = t(isLost ? 'shell.connecting' : 'shell.connected')
  return (
    <footer className="flex items-center gap-0.5 border-t border-line p-2 tablet:mt-auto tablet:flex-col">
      <span
        className="flex min-w-0 flex-1 items-center gap-1.5 px-2 text-11 leading-[1.35] text-ink-2 tablet:flex-none tablet:p-1"
        title={`${state} · ${location.host}`}
      >
        <Dot tone={isLost ? 'no' : 'ok'} />
        <span className="min-w-0 truncate tablet:hidden">
          {state}
          <span className="block min-w-0 truncate text-ink-3">{location.host}</span>
        </span>
      </span>
      <LookButtons side="top" />
    </footer>
  )
}
