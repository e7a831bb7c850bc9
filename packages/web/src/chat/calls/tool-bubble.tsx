import type { CallPart } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { callLook } from '../rows/call-look.ts'
import { Bubble } from './bubble.tsx'
import { CallDetails } from './call-details.tsx'
import { CallEnd, CallHead } from './call-head.tsx'

/** A call and its result. */
export function ToolBubble({
  part,
  isUnfolded,
}: {
  readonly part: CallPart
  readonly isUnfolded: boolean | undefined
}): ReactNode {
  const look = callLook(part)
  return (
    <Bubble
      id={part.id}
      kind={look.kind}
      isUnfolded={isUnfolded ?? look.isOpen}
      head={<CallHead part={part} look={look} />}
      end={<CallEnd part={part} look={look} />}
    >
      <CallDetails part={part} look={look} />
    </Bubble>
  )
}
