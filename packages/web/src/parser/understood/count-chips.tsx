import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { type Counts, FLAGS, KINDS, type Reading } from '../worker/messages.ts'
import { Chip, chipClass } from '../../ui/chip.tsx'

const CHIPS = [
  ['malformed', 'no'],
  ['cut', 'no'],
  ['problems', 'no'],
  ['repairs', 'ask'],
  ['forged', 'fake'],
] as const

/** The counts as chips, problems in red. Shortened to numbers where there is little room. */
export function CountChips({
  counts,
  isShort = false,
  hasReasoning = false,
  onPick,
}: {
  readonly counts: Counts
  readonly isShort?: boolean
  /** True if there is reasoning besides text. */
  readonly hasReasoning?: boolean
  /** Goes to the first piece that is counted. */
  readonly onPick?: ((counted: Counted) => void) | undefined
}): ReactNode {
  const { t, number } = useWords()
  // In the header, cut-off calls are counted separately. In a strip, all calls that begin are
  // counted.
  const calls = isShort ? counts.calls : counts.calls - counts.cut
  const none = isShort
    ? hasReasoning
      ? 'parser.count.reasoning'
      : 'parser.count.text'
    : 'parser.count.none'
  return (
    <>
      {calls > 0 ? (
        <Chip tone="call">{t('parser.count.calls', { count: calls })}</Chip>
      ) : (
        counts.calls === 0 && <Chip>{t(none)}</Chip>
      )}
      {CHIPS.map(([counted, look]) => {
        const count = counts[counted]
        // A strip with calls shows only counts about calls.
        if (count === 0 || (isShort && counted === 'forged' && calls > 0)) return null
        const text = t(`parser.count.${counted}`, { count })
        if (onPick)
          return (
            <button
              key={counted}
              type="button"
              className={chipClass({ tone: look, className: 'hover:underline' })}
              title={t('parser.count.show')}
              onClick={() => onPick(counted)}
            >
              {text}
            </button>
          )
        return (
          <Chip key={counted} tone={look} title={text}>
            {isShort && (
              <span className="hidden max-[1281px]:inline" aria-hidden="true">
                {number(count)}
              </span>
            )}
            <span className={isShort ? 'max-[1281px]:sr-only' : ''}>{text}</span>
          </Chip>
        )
      })}
    </>
  )
}

/** The counts of the badges in the header. */
export type Counted = 'cut' | 'problems' | 'repairs' | 'malformed' | 'forged'

/** The first piece that the chip counts. */
export function firstOf({ kinds, flags }: Reading, counted: Counted): number | undefined {
  const kind = KINDS.indexOf(counted === 'malformed' ? 'malformed' : 'made-up')
  const flag =
    counted === 'cut' ? FLAGS.cut : counted === 'problems' ? FLAGS.problem : FLAGS.repaired
  const isKind = counted === 'malformed' || counted === 'forged'
  const at = isKind ? kinds.indexOf(kind) : flags.findIndex((each) => (each & flag) !== 0)
  return at < 0 ? undefined : at
}

/** The first piece that is malformed or a call that cannot run. */
export function firstProblem(reading: Reading): number | undefined {
  const all = (['malformed', 'cut', 'problems'] as const).flatMap(
    (counted) => firstOf(reading, counted) ?? [],
  )
  return all.length === 0 ? undefined : Math.min(...all)
}
