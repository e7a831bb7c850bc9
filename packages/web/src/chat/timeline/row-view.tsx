import { memo } from 'react'
import type { ReactNode } from 'react'
import { AskCard } from '../../approvals/ask-card.tsx'
import { GroupedCall, GroupHead } from '../calls/grouped-calls.tsx'
import { ToolBubble } from '../calls/tool-bubble.tsx'
import { MadeUp } from '../messages/made-up.tsx'
import { Malformed } from '../messages/malformed.tsx'
import { Ending, Notice } from '../messages/notice.tsx'
import { OwnMessage } from '../messages/own-message.tsx'
import { Prose } from '../messages/prose.tsx'
import { Reasoning } from '../messages/reasoning.tsx'
import { TurnMark } from '../messages/turn-mark.tsx'
import type { Row } from '../rows/rows.ts'

/** What a row is drawn with. It is drawn again only if something of it changes. */
export interface RowProps {
  readonly run: string
  readonly row: Row
  /** What the person chose; undefined if they chose nothing. */
  readonly isUnfolded: boolean | undefined
  readonly isEdited: boolean
  /** For a call that waits: which one it is, from 1, of how many. */
  readonly position: number
  readonly count: number
}

/** One row of the conversation. */
export const RowView = memo(function RowView({
  run,
  row,
  isUnfolded,
  isEdited,
  position,
  count,
}: RowProps): ReactNode {
  switch (row.type) {
    case 'prompt':
      return <OwnMessage item={row.item} isEdited={isEdited} />
    case 'turn':
      return <TurnMark item={row.item} />
    case 'reasoning':
      return <Reasoning part={row.part} isOpen={row.isOpen} isUnfolded={isUnfolded} />
    case 'text':
      return <Prose block={row.block} isOpen={row.isOpen} />
    case 'call':
      return <ToolBubble part={row.part} isUnfolded={isUnfolded} />
    case 'ask':
      return <AskCard run={run} part={row.part} position={position} count={count} />
    case 'group':
      return <GroupHead id={row.key} calls={row.calls} isUnfolded={row.isUnfolded} />
    case 'grouped':
      return (
        <GroupedCall id={row.key} part={row.part} isLast={row.isLast} isUnfolded={isUnfolded} />
      )
    case 'malformed':
      return <Malformed run={run} turn={row.turn} part={row.part} isUnfolded={isUnfolded} />
    case 'made-up':
      return <MadeUp part={row.part} isUnfolded={isUnfolded} />
    case 'notice':
      return <Notice item={row.item} />
    case 'end':
      return <Ending item={row.item} />
  }
})
