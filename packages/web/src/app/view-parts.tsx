import type { ComponentProps, ReactNode } from 'react'

/** The outer element of a view: a header with content below it. */
export function ViewMain({ className = '', ...others }: ComponentProps<'main'>): ReactNode {
  return (
    <main
      className={`grid min-h-0 min-w-0 grid-cols-1 grid-rows-[var(--top-bar)_minmax(0,1fr)] phone:grid-rows-[auto_minmax(0,1fr)] ${className}`}
      {...others}
    />
  )
}

/** The header of a view. On a phone, its buttons show only their icons. */
export function ViewHeader({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <header className="flex min-w-0 items-center gap-2.5 border-b border-line bg-bg px-4 phone:min-h-[52px] phone:gap-2 phone:overflow-hidden phone:px-3 phone:[&_.button_span]:hidden">
      {children}
    </header>
  )
}

/** The title in the header of a view. On a phone, the folder is below it. */
export function ViewTitle({
  title,
  isTooltip = false,
  children,
}: {
  readonly title: string
  /** True if the title is also shown as a tooltip because it may be cut off. */
  readonly isTooltip?: boolean
  readonly children?: ReactNode
}): ReactNode {
  const heading = (
    <h1
      className={`text-14 font-600 tracking-[-0.006em] whitespace-nowrap ${isTooltip ? 'min-w-0 truncate' : ''}`}
      {...(isTooltip && { title })}
    >
      {title}
    </h1>
  )
  if (children === undefined) return heading
  return (
    <div className="contents phone:grid phone:min-w-0 phone:leading-[1.25]">
      {heading}
      {children}
    </div>
  )
}
