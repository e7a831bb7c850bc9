import type { ReactNode } from 'react'

/** A page of the settings: what it is about, what can be done, and its content. */
export function PageFrame({
  title,
  about,
  actions,
  children,
}: {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="pane">
      <div className="bar">
        <h2 className="font-semibold">{title}</h2>
        {about !== undefined && <span className="dim cut grow wide-only">{about}</span>}
        <span className="ml-auto" />
        {actions}
      </div>
      <div className="pad max-w-[980px]">{children}</div>
    </div>
  )
}
