import { useId } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useChatActions } from '../chat-actions.ts'

/** A box in the conversation that unfolds. */
export function Bubble({
  id,
  kind,
  isUnfolded,
  head,
  end,
  children,
}: {
  /** The key of its row. */
  readonly id: string
  /** Its classes. */
  readonly kind: string
  readonly isUnfolded: boolean
  readonly head: ReactNode
  /** The end of its first line. */
  readonly end?: ReactNode
  /** Its content when it is unfolded. */
  readonly children: ReactNode
}): ReactNode {
  const { unfold } = useChatActions()
  const inner = useId()
  return (
    <div className={`bubble ${kind}`}>
      <button
        type="button"
        className="sum"
        aria-expanded={isUnfolded}
        {...(isUnfolded && { 'aria-controls': inner })}
        onClick={() => unfold(id, !isUnfolded)}
      >
        {head}
        <span className="end">
          {end}
          <Icon name="right" className="turnarrow" />
        </span>
      </button>
      {isUnfolded && (
        <div className="in" id={inner}>
          {children}
        </div>
      )}
    </div>
  )
}
