import type { ReactNode } from 'react'

/** A section of the panel beside the conversation. */
export function AsideSection({
  title,
  end,
  id,
  isLast = false,
  children,
}: {
  readonly title: string
  /** Shown at the end of the title. */
  readonly end: ReactNode
  readonly id?: string
  readonly isLast?: boolean
  readonly children: ReactNode
}): ReactNode {
  return (
    <section
      className={`grid gap-[9px] border-line px-3.5 pt-3 pb-3.5 ${isLast ? '' : 'border-b'}`}
      id={id}
    >
      <h2 className="flex items-center gap-2 text-12 font-580">
        {title}
        <span className="ml-auto flex items-center gap-1.5 font-400 text-ink-3 tabular-nums">
          {end}
        </span>
      </h2>
      {children}
    </section>
  )
}
