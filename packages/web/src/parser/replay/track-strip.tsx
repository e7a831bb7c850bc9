import { memo } from 'react'
import type { ReactNode } from 'react'
import { STRIP_CLASSES } from '../../ui/strip.tsx'
import { kindOf, startOf } from '../pieces.ts'
import type { Pieces } from '../worker/messages.ts'

/** A reading to scale: a position is the same in all strips. */
export const TrackStrip = memo(function TrackStrip({
  pieces,
  className = '',
}: {
  readonly pieces: Pieces
  readonly className?: string
}): ReactNode {
  return (
    <span className={`strip gap-0 ${className}`} aria-hidden="true">
      {Array.from(pieces.kinds, (_, at) => {
        const length = pieces.ends[at]! - startOf(pieces, at)
        return (
          length > 0 && (
            <b
              key={at}
              className={`min-w-0 flex-[0_1_0] shadow-[inset_-1px_0_var(--panel)] ${STRIP_CLASSES[kindOf(pieces, at)]}`}
              style={{ flexGrow: length }}
            />
          )
        )
      })}
    </span>
  )
})
