import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import type { Counts } from '../worker/messages.ts'
import type { Counted } from './first-of.ts'

const CHIPS = [
  ['malformed', 'no'],
  ['cut', 'no'],
  ['problems', 'no'],
  ['repairs', 'ask'],
  ['forged', 'fake'],
] as const

/** How much was found, as chips: the problems in red. Where there is little room, short ones are numbers. */
export function CountChips({
  counts,
  isShort = false,
  hasReasoning = false,
  onPick,
}: {
  readonly counts: Counts
  readonly isShort?: boolean
  /** Besides text, there is reasoning. */
  readonly hasReasoning?: boolean
  /** Leads to the first of them. */
  readonly onPick?: ((counted: Counted) => void) | undefined
}): ReactNode {
  const { t, number } = useWords()
  // In the header, a call that was cut off is counted as that. In a strip, all that begin are.
  const calls = isShort ? counts.calls : counts.calls - counts.cut
  const none = isShort
    ? hasReasoning
      ? 'parser.count.reasoning'
      : 'parser.count.text'
    : 'parser.count.none'
  return (
    <>
      {calls > 0 ? (
        <span className="chip call">{t('parser.count.calls', { count: calls })}</span>
      ) : (
        counts.calls === 0 && <span className="chip">{t(none)}</span>
      )}
      {CHIPS.map(([counted, look]) => {
        const count = counts[counted]
        // A strip with calls has room for what is about them only.
        if (count === 0 || (isShort && counted === 'forged' && calls > 0)) return null
        const text = t(`parser.count.${counted}`, { count })
        if (onPick)
          return (
            <button
              key={counted}
              type="button"
              className={`chip ${look} lead`}
              title={t('parser.count.show')}
              onClick={() => onPick(counted)}
            >
              {text}
            </button>
          )
        return (
          <span key={counted} className={`chip ${look} ${isShort ? 'short' : ''}`} title={text}>
            {isShort && (
              <span className="figure" aria-hidden="true">
                {number(count)}
              </span>
            )}
            <span className="said">{text}</span>
          </span>
        )
      })}
    </>
  )
}
