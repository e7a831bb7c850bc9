import { memo } from 'react'
import type { ReactNode } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { Item } from '../worker/item.ts'
import { CallFacts } from './call-facts.tsx'
import { PlaceText, Shortened } from './place-text.tsx'
import { Chip } from '../../ui/chip.tsx'
import type { Tone } from '../../ui/tone.ts'

const CLASSES: Readonly<Record<Item['kind'], string>> = {
  text: 't',
  reasoning: 'r',
  call: 'c',
  malformed: 'm',
  'made-up': 'f',
}
const CHIPS: Readonly<Record<Item['kind'], Tone | undefined>> = {
  text: undefined,
  reasoning: 'think',
  call: 'call',
  malformed: 'no',
  'made-up': 'fake',
}

/** A piece of the reply: what it was read as, and all that is known about that. */
export const UnderstoodItem = memo(function UnderstoodItem({
  item,
  until,
  isHot,
  onHover,
  onPick,
}: {
  readonly item: Item
  /** Where the last piece ends, in a replay. */
  readonly until: number
  readonly isHot: boolean
  readonly onHover?: (piece: number) => void
  /** Without it, the head is not a button. */
  readonly onPick?: (item: Pick<Item, 'at' | 'from'>) => void
}): ReactNode {
  const { t, number } = useWords()
  const { kind, from, at } = item
  const to = Math.min(item.to, until)
  const head = (
    <>
      <Chip tone={CHIPS[kind]}>{t(`parser.kind.${kind}`)}</Chip>
      {item.kind === 'call' && (
        <b className="font-mono min-w-0 truncate">
          <VisibleText text={item.name} />
        </b>
      )}
      {(item.kind === 'text' || item.kind === 'reasoning') && (
        <span className="min-w-0 truncate text-ink-2">
          <Shortened {...item.excerpt} />
        </span>
      )}
      <span className="end">
        {item.kind === 'call' && !item.facts.includes('otherProtocol') && (
          <span
            className="protocol font-mono"
            title={t('parser.readBy', { protocol: item.protocol })}
          >
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
      className={`g ${CLASSES[kind]} ${isBad(item) ? 'bad' : ''} ${isHot ? 'on' : ''}`}
      onMouseEnter={() => onHover?.(at)}
      onFocus={() => onHover?.(at)}
    >
      {onPick ? (
        <button
          type="button"
          className="h"
          onClick={() => onPick(item)}
          title={t('parser.showPlace')}
        >
          {head}
        </button>
      ) : (
        <div className="h">{head}</div>
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

/** It is a call, but it cannot run. */
function isBad(item: Item): boolean {
  return item.kind === 'call' && (!item.isComplete || item.problems.length > 0)
}

/** A call that is still being written, in a replay. */
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
    <article className="g c">
      <div className="h">
        <Chip tone="call">{t('parser.kind.call')}</Chip>
        <b className="font-mono min-w-0 truncate">
          <VisibleText text={name} />
        </b>
        <Chip outline>{t('parser.open')}</Chip>
        <span className="end">
          {number(from)}–{number(to)}
        </span>
      </div>
    </article>
  )
}
