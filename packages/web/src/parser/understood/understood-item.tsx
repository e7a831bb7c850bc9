import { memo } from 'react'
import type { ReactNode } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import type { Item } from '../worker/item.ts'
import { CallFacts } from './call-facts.tsx'
import { PlaceText, Shortened } from './place-text.tsx'

const CLASSES: Readonly<Record<Item['kind'], string>> = {
  text: 't',
  reasoning: 'r',
  call: 'c',
  malformed: 'm',
  'made-up': 'f',
}
const CHIPS: Readonly<Record<Item['kind'], string>> = {
  text: '',
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
      <span className={`chip ${CHIPS[kind]}`}>{t(`parser.kind.${kind}`)}</span>
      {item.kind === 'call' && (
        <b className="mono cut">
          <VisibleText text={item.name} />
        </b>
      )}
      {(item.kind === 'text' || item.kind === 'reasoning') && (
        <span className="cut dim">
          <Shortened {...item.excerpt} />
        </span>
      )}
      <span className="end">
        {item.kind === 'call' && !item.facts.includes('otherProtocol') && (
          <span className="protocol mono" title={t('parser.readBy', { protocol: item.protocol })}>
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
      {item.kind === 'made-up' && <p className="dim">{t('parser.forged.about')}</p>}
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
        <span className="chip call">{t('parser.kind.call')}</span>
        <b className="mono cut">
          <VisibleText text={name} />
        </b>
        <span className="chip line">{t('parser.open')}</span>
        <span className="end">
          {number(from)}–{number(to)}
        </span>
      </div>
    </article>
  )
}
