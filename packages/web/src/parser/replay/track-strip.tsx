import { memo } from 'react'
import type { ReactNode } from 'react'
import { STRIP_CLASSES } from '../../ui/strip.tsx'
import { kindOf, startOf } from '../pieces.ts'
import type { Pieces } from '../worker/messages.ts'

/** A reading, to scale: one place is the same in all of them. */
export const TrackStrip = memo(function TrackStrip({
  pieces,
}: {
  readonly pieces: Pieces
}): ReactNode {
  return (
    <span className="strip" aria-hidden="true">
      {Array.from(pieces.kinds, (_, at) => {
        const length = pieces.ends[at]! - startOf(pieces, at)
        return (
          length > 0 && (
            <b
              key={at}
              className={STRIP_CLASSES[kindOf(pieces, at)]}
              style={{ flexGrow: length }}
            />
          )
        )
      })}
    </span>
  )
})
