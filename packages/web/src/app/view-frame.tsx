import type { ReactNode } from 'react'
import { PhoneFolder } from '../folders/phone-folder.tsx'
import { type Key, useWords } from '../words/words.ts'
import { FindButton } from './find-button.tsx'
import { PhoneMenu } from './phone-menu.tsx'

/** A view below its header. */
export function ViewFrame({
  title,
  about,
  actions,
  className = '',
  children,
}: {
  readonly title: Key
  /** A few words beside the title, where there is room. */
  readonly about?: ReactNode
  /** What can be done in the whole view, at the end of the header. */
  readonly actions?: ReactNode
  /** Of what is below the header. */
  readonly className?: string
  readonly children: ReactNode
}): ReactNode {
  const { t } = useWords()
  return (
    <main className="main">
      <header className="top">
        <PhoneMenu />
        <div className="ttl">
          <h1>{t(title)}</h1>
          <PhoneFolder />
        </div>
        {about !== undefined && <span className="dim-2 cut wide-only">{about}</span>}
        <span className="grow" />
        {actions}
        <FindButton />
      </header>
      <div className={`body ${className}`}>{children}</div>
    </main>
  )
}
