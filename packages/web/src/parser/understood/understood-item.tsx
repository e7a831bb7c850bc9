import { memo } from 'react'
import type { ReactNode } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { Item } from '../worker/item.ts'
import { CallFacts } from './call-facts.tsx'
import { PlaceText, Shortened } from './place-text.tsx'
import { Chip } from '../../ui/chip.tsx'
import type { Tone } from '../../ui/tone.ts'

const EDGES: Readonly<Record<Item['kind'], string>> = {
  text: 'border-l-strip-text hover:border-l-strip-text',
  reasoning: 'border-l-solid-think hover:border-l-solid-think',
  call: 'border-l-solid-call hover:border-l-solid-call',
  malformed: 'border-l-solid-no hover:border-l-solid-no',
  'made-up': 'border-l-solid-fake hover:border-l-solid-fake',
}
const CHIPS: Readonly<Record<Item['kind'], Tone | undefined>> = {
  text: undefined,
  reasoning: 'think',
  call: 'call',
  malformed: 'no',
  'made-up': 'fake',
}

/** A piece of the reply with its kind and all known details. */
export const UnderstoodItem = memo(function UnderstoodItem({
  item,
  until,
  isHot,
  onHover,
  onPick,
}: {
  readonly item: Item
  /** The end of the last piece, in a replay. */
  readonly until: number
  readonly isHot: boolean
  readonly onHover?: (piece: number) => void
  /** If missing, the head is not a button. */
  readonly onPick?: (item: Pick<Item, 'at' | 'from'>) => void
}): ReactNode {
  const { t, number } = useWords()
  const { kind, from, at } = item
  const to = Math.min(item.to, until)
  const head = (
    <>
      <Chip tone={CHIPS[kind]}>{t(`parser.kind.${kind}`)}</Chip>
      {item.kind === 'call' && (
        <b className="min-w-0 truncate font-mono text-[12.5px] font-600">
          <VisibleText text={item.name} />
        </b>
      )}
      {(item.kind === 'text' || item.kind === 'reasoning') && (
        <span className="min-w-0 truncate text-ink-2">
          <Shortened {...item.excerpt} />
        </span>
      )}
      <span className={PLACE}>
        {item.kind === 'call' && !item.facts.includes('otherProtocol') && (
          <span className="mr-2 font-mono" title={t('parser.readBy', { protocol: item.protocol })}>
            {item.protocol === 'untrained' ? (
              t('parser.fact.free')
            ) : (
              <VisibleText text={item.protocol} />
            )}
          </span>
        )}
        {number(from)}–{number(to)}
      </span>
    </>
  )
  return (
    <article
      className={`${ITEM} ${EDGES[isBad(item) ? 'malformed' : kind]} ${isHot ? 'border-line-2 shadow-card' : PLAIN}`}
      data-kind={kind}
      data-hot={isHot || undefined}
      onMouseEnter={() => onHover?.(at)}
      onFocus={() => onHover?.(at)}
    >
      {onPick ? (
        <button
          type="button"
          className={HEAD}
          onClick={() => onPick(item)}
          title={t('parser.showPlace')}
        >
          {head}
        </button>
      ) : (
        <div className={HEAD}>{head}</div>
      )}
      {item.kind === 'call' && <CallFacts item={item} />}
      {item.kind === 'made-up' && <p className="text-ink-2">{t('parser.forged.about')}</p>}
      {item.kind === 'malformed' && (
        <>
          <p>{t(`chat.problem.${item.problem}`)}</p>
          <PlaceText place={item.place}>
            <VisibleText text={item.hint} />
          </PlaceText>
        </>
      )}
    </article>
  )
})

const ITEM = 'grid min-w-0 gap-[5px] rounded-md border border-l-[3px] bg-panel px-2.5 py-[7px]'
const PLAIN = 'border-line hover:border-line-2 hover:shadow-card'
const HEAD = 'flex w-full min-w-0 items-center gap-1.5 text-left [&_.chip]:flex-none'
const PLACE = 'ml-auto text-11 whitespace-nowrap text-ink-3 tabular-nums'

/** True for a call that cannot run. */
function isBad(item: Item): boolean {
  return item.kind === 'call' && (!item.isComplete || item.problems.length > 0)
}

/** A call that is being written, in a replay. */
export function OpenCall({
  name,
  from,
  to,
}: {
  readonly name: string
  readonly from: number
  readonly to: number
}): ReactNode {
  const { t, number } = useWords()
  return (
    <article className={`${ITEM} ${EDGES.call} ${PLAIN}`}>
      <div className={HEAD}>
        <Chip tone="call">{t('parser.kind.call')}</Chip>
        <b className="min-w-0 truncate font-mono text-[12.5px] font-600">
          <VisibleText text={name} />
        </b>
        <Chip outline>{t('parser.open')}</Chip>
        <span className={PLACE}>
          {number(from)}–{number(to)}
        </span>
      </div>
    </article>
  )
}
