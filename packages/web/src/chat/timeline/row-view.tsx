import { memo, type ReactNode, useMemo } from 'react'
import { AskCard } from '../../approvals/ask-card.tsx'
import { GroupedCall, GroupHead } from '../calls/grouped-calls.tsx'
import { Ending, Notice } from '../messages/notice.tsx'
import { OwnMessage } from '../messages/own-message.tsx'
import { Prose, PLAIN } from '../messages/prose.tsx'
import type { Row } from '../rows/rows.ts'
import type { CallPart, MadeUpPart, MalformedPart, TextPart, TurnItem } from '@toolglot/react/view'
import { callLook } from '../rows/call-look.ts'
import { Bubble } from '../calls/bubble.tsx'
import { CallDetails } from '../calls/call-details.tsx'
import { CallEnd, CallHead, SUBJECT, TOOL } from '../calls/call-head.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { LongText } from '../../ui/long-text.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ParserLink } from '../../app/parser-link.tsx'
import { useChatActions } from '../chat-actions.ts'
import { LiveText } from '../messages/code-block.tsx'
import { Strip } from '../../ui/strip.tsx'
import { stripPieces } from '../rows/strip-pieces.ts'
import { tokenRate } from '../format.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { StateIcon } from '../../ui/state-icon.tsx'

/** The props of a row, which is redrawn only if one of them changes. */
export interface RowProps {
  readonly run: string
  readonly row: Row
  /** The user's choice; undefined if there is none. */
  readonly isUnfolded: boolean | undefined
  readonly isEdited: boolean
  /** For a waiting call: its position among all waiting calls, from 1. */
  readonly position: number
  readonly count: number
}

/** A row of the conversation. */
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
      return <ForgedResult part={row.part} isUnfolded={isUnfolded} />
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
      head={
        <CallHead
          {...{ part, look }}
          {...(look.kind === 'denied' && {
            nameLook: `${TOOL} text-ink-2 line-through decoration-ink-3`,
          })}
        />
      }
      end={<CallEnd part={part} look={look} />}
    >
      <CallDetails part={part} look={look} />
    </Bubble>
  )
}

/** A forged result: the model wrote it instead of a tool. */
function ForgedResult({
  part,
  isUnfolded,
}: {
  readonly part: MadeUpPart
  readonly isUnfolded: boolean | undefined
}): ReactNode {
  const { t } = useWords()
  return (
    <NoCall
      kind="fake"
      {...{ part, isUnfolded }}
      title={t('chat.forged')}
      about={part.text.slice(0, 200)}
    >
      <p>{t('chat.forged.about')}</p>
      <LongText text={part.text} label={t('chat.forged')} />
    </NoCall>
  )
}

/** A malformed call: the problem, and the model's text on demand. */
function Malformed({
  run,
  turn,
  part,
  isUnfolded,
}: {
  readonly run: string
  /** Undefined until the turn is recorded. */
  readonly turn: number | undefined
  readonly part: MalformedPart
  readonly isUnfolded: boolean | undefined
}): ReactNode {
  const { t } = useWords()
  return (
    <NoCall
      kind="broken"
      {...{ part, isUnfolded }}
      title={t('chat.malformed')}
      about={part.hint}
      end={<span className="phone:hidden!">{t('chat.malformed.told')}</span>}
    >
      <p>{t(`chat.problem.${part.problem}`)}</p>
      <p className="font-mono break-words">{part.hint}</p>
      <div className="cluster">
        <span className="label">{t('chat.malformed.raw')}</span>
        <span className="min-w-0 flex-1" />
        {turn !== undefined && <ParserLink {...{ run, turn }} />}
        <CopyButton text={() => part.raw} className="button button-ghost button-small" />
      </div>
      <LongText text={part.raw} label={t('chat.malformed.raw')} />
    </NoCall>
  )
}

/** Text that only looks like a call or a result. */
function NoCall({
  part,
  isUnfolded = false,
  kind,
  title,
  about,
  end,
  children,
}: {
  readonly part: MadeUpPart | MalformedPart
  readonly isUnfolded: boolean | undefined
  readonly kind: 'fake' | 'broken'
  readonly title: string
  readonly about: string
  readonly end?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  const isBroken = kind === 'broken'
  return (
    <Bubble
      id={part.id}
      {...{ kind, isUnfolded, end }}
      head={
        <>
          <StateIcon tone={isBroken ? 'no' : 'fake'}>
            <Icon name={isBroken ? 'hand' : 'q'} />
          </StateIcon>
          <span className={`text-[12.5px] font-620 ${isBroken ? 'text-no' : 'text-fake'}`}>
            {title}
          </span>
          <span className={SUBJECT}>{about}</span>
        </>
      }
    >
      {children}
    </Bubble>
  )
}

/** The model's reasoning, folded unless it is in progress. */
function Reasoning({
  part,
  isOpen,
  isUnfolded = isOpen,
}: {
  readonly part: TextPart
  readonly isOpen: boolean
  readonly isUnfolded: boolean | undefined
}): ReactNode {
  const { t, number } = useWords()
  const { unfold } = useChatActions()
  // Words are counted only after the reasoning has ended.
  const words = useMemo(
    () => (isOpen ? 0 : part.text.split(/\s+/, 100_000).length),
    [part.text, isOpen],
  )
  return (
    <div>
      <button
        type="button"
        className="group inline-flex items-center gap-1.5 py-0.5 text-12 text-think"
        aria-expanded={isUnfolded}
        onClick={() => unfold(part.id, !isUnfolded)}
      >
        <Icon name="brain" />
        {isOpen ? t('chat.thinking') : t('chat.thought', { count: words, words: number(words) })}
        <Icon
          name="right"
          className="size-[13px] transition-transform group-aria-expanded:rotate-90"
        />
      </button>
      {isUnfolded && (
        <div className="mt-1 grid gap-1.5 overflow-clip border-l-2 border-think-line pl-2.5 text-ink-2 [overflow-clip-margin:6px]">
          {isOpen ? (
            <LiveText text={part.text} className={PLAIN} label={t('chat.reasoning')} />
          ) : (
            <LongText text={part.text.trim()} className={PLAIN} label={t('chat.reasoning')} />
          )}
        </div>
      )}
    </div>
  )
}

/** The start of a turn: its reading strip, and the speed of the model. */
function TurnMark({ item }: { readonly item: TurnItem }): ReactNode {
  const { t, number } = useWords()
  const { showTurn } = useChatActions()
  const pieces = useMemo(() => stripPieces(item), [item])
  const rate = tokenRate(item)
  return (
    <div className="mt-1 flex items-center gap-2.5 text-11 text-ink-3 after:order-2 after:h-px after:flex-1 after:bg-line after:content-['']">
      <span className="tabular-nums">{t('chat.turn', { number: item.turn + 1 })}</span>
      {pieces.length > 0 ? (
        <Strip pieces={pieces} className="w-[110px]" />
      ) : (
        item.isOpen && (
          <span className="cluster">
            <Spinner />
            {t('chat.reading')}
          </span>
        )
      )}
      {rate !== undefined && (
        <span className="order-3 tabular-nums phone:hidden!">
          {t('chat.rate', { rate: number(rate, { maximumFractionDigits: rate < 10 ? 1 : 0 }) })}
        </span>
      )}
      {item.isUnfinished && <Chip>{t('chat.unfinished')}</Chip>}
      {!item.isOpen && !item.isUnfinished && (
        <Button
          look="ghost"
          small
          className="order-4"
          title={t('chat.raw.about')}
          onClick={() => showTurn(item.turn)}
        >
          <Icon name="parser" />
          {t('chat.raw')}
        </Button>
      )}
    </div>
  )
}
