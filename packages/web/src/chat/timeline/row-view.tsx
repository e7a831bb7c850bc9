import { memo, type ReactNode } from 'react'
import { AskCard } from '../../approvals/ask-card.tsx'
import { GroupedCall, GroupHead } from '../calls/grouped-calls.tsx'
import { Malformed } from '../messages/malformed.tsx'
import { Ending, Notice } from '../messages/notice.tsx'
import { OwnMessage } from '../messages/own-message.tsx'
import { Prose } from '../messages/prose.tsx'
import { Reasoning } from '../messages/reasoning.tsx'
import { TurnMark } from '../messages/turn-mark.tsx'
import type { Row } from '../rows/rows.ts'
import type { CallPart, MadeUpPart } from '@toolglot/react/view'
import { callLook } from '../rows/call-look.ts'
import { Bubble } from '../calls/bubble.tsx'
import { CallDetails } from '../calls/call-details.tsx'
import { CallEnd, CallHead } from '../calls/call-head.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { LongText } from '../../ui/long-text.tsx'

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

/** A call and its result. */
function ToolBubble({
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

/** A result that no tool returned: the model wrote it itself. */
function MadeUp({
  part,
  isUnfolded = false,
}: {
  readonly part: MadeUpPart
  readonly isUnfolded: boolean | undefined
}): ReactNode {
  const { t } = useWords()
  return (
    <Bubble
      id={part.id}
      kind="fake"
      isUnfolded={isUnfolded}
      head={
        <>
          <span className="st">
            <Icon name="q" />
          </span>
          <span className="tool">{t('chat.madeUp')}</span>
          <span className="what cut">{part.text.slice(0, 200)}</span>
        </>
      }
    >
      <p>{t('chat.madeUp.about')}</p>
      <LongText text={part.text} label={t('chat.madeUp')} />
    </Bubble>
  )
}
