import type { ReactNode } from 'react'
import { Dot, type DotTone } from '../ui/dot.tsx'

/** An item in a card: a line with a dot, and more content below it. In a narrow column, the cells of the line are stacked. */
export function Item({
  tone,
  name,
  title,
  about,
  columns = 1,
  fact,
  actions,
  children,
}: {
  readonly tone: DotTone | undefined
  readonly name: ReactNode
  /** The tooltip of the name. */
  readonly title?: string
  readonly about: ReactNode
  /** The number of columns for `about`. More than one takes the place of the fact and the actions. */
  readonly columns?: 1 | 2 | 3
  readonly fact?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
}): ReactNode {
  return (
    <ItemFrame>
      <div className="grid min-h-6 grid-cols-[10px_29%_minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1 @max-[561px]:grid-cols-[10px_minmax(0,1fr)]">
        <Dot tone={tone} aria-hidden="true" />
        <div className="min-w-0 truncate" title={title}>
          {name}
        </div>
        <div
          className={`flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1 text-ink-2 @max-[561px]:col-[2] ${COLUMNS[columns]}`}
        >
          {about}
        </div>
        {fact !== undefined && (
          <div className="min-w-0 overflow-hidden text-right text-ellipsis whitespace-nowrap text-ink-2 tabular-nums @max-[561px]:col-[2] @max-[561px]:text-left @max-[561px]:empty:hidden">
            {fact}
          </div>
        )}
        {actions !== undefined && (
          <div className="flex min-w-24 items-center justify-end gap-1.5 @max-[561px]:col-[2] @max-[561px]:justify-start @max-[561px]:empty:hidden">
            {actions}
          </div>
        )}
      </div>
      {children}
    </ItemFrame>
  )
}

const COLUMNS = { 1: '', 2: 'col-span-2', 3: 'col-span-3' } as const

/** The frame of an item in a card. */
export function ItemFrame({
  className = 'gap-2',
  children,
}: {
  readonly className?: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <div
      className={`grid border-t border-line px-3.5 py-2 first:border-t-0 [&_summary]:w-fit [&_summary]:cursor-pointer [&_summary]:text-ink-2 ${className}`}
    >
      {children}
    </div>
  )
}

/** Classes of the content below the line of an item. */
export const BELOW_ITEM = 'grid min-w-0 gap-1.5 pl-[22px]'
