import type { ReactNode } from 'react'
import { spellUnseen } from '../../ui/unseen.ts'
import { VisibleText } from '../../ui/visible-text.tsx'

/** A pane about a turn: its prompt, its reply, or a call. */
export function TurnPane({
  title,
  head,
  children,
}: {
  readonly title: string
  /** Shown after the title. Without it, the title is only read by screen readers. */
  readonly head?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <section
      className="turn-pane flex min-h-0 min-w-0 flex-col gap-2 px-4 pb-4 not-first:border-l not-first:border-line phone:not-first:border-t phone:not-first:border-l-0 [&_.wire]:min-h-15 [&_.wire]:overflow-auto phone:[&_.wire]:max-h-[70vh]"
      role="group"
      aria-label={spellUnseen(title)}
    >
      {head !== undefined && (
        <header className="flex min-h-[38px] min-w-0 flex-none items-center gap-2 pt-[9px] text-12 *:whitespace-nowrap">
          <h2 className="min-w-[60px] truncate font-580">
            <VisibleText text={title} />
          </h2>
          {head}
        </header>
      )}
      {children}
    </section>
  )
}

/** Figures at the end of the head of a pane, where there is room. */
export function PaneFigures({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <span className="ml-auto text-ink-3 tabular-nums tablet:hidden phone:hidden!">{children}</span>
  )
}
