import type { ReactNode } from 'react'
import { spellUnseen } from '../../ui/unseen.ts'
import { useWords } from '../../words/words.ts'
import { changeParser } from '../parser-store.ts'
import type { Comparison, Reading, Reason } from '../worker/messages.ts'
import { PlaceText } from './place-text.tsx'
import type { IgnoredCall } from '../worker/item.ts'
import { Button } from '../../ui/button.tsx'

const CARD =
  'mx-3 mt-2.5 grid gap-1.5 rounded-md border border-ask-line bg-ask-bg px-[11px] py-[9px]'

/**
 * Why the reply has no call: a call is in a place where calls do not count, or which protocols
 * found a call or its start, and what they required where they stopped. Malformed calls have their
 * own card.
 */
export function ReasonCard({
  protocol,
  reading: { ignored, hasProtocol },
  comparison,
  reason,
  onPick,
}: {
  readonly protocol: string
  readonly reading: Reading
  readonly comparison: Comparison | undefined
  readonly reason: Reason | undefined
  readonly onPick: (from: number) => void
}): ReactNode {
  const { t } = useWords()
  if (!hasProtocol)
    return (
      <section className={CARD} aria-label={t('parser.reason')}>
        <h3 className="font-600 text-ask">{t('parser.reason')}</h3>
        <p>{t('parser.reason.noProtocol')}</p>
      </section>
    )
  if (ignored.length > 0)
    return (
      <section className={CARD} aria-label={t('parser.reason')}>
        <h3 className="font-600 text-ask">{t('parser.reason')}</h3>
        <IgnoredList ignored={ignored} onPick={onPick} />
      </section>
    )
  // Someone drawing a protocol is interested in that one.
  const isDrawn = protocol === 'drawn'
  const other = comparison?.tracks.find((track) => track.counts.calls > 0 && !isDrawn)
  const nameOf = (id: string): string =>
    id === 'drawn' ? t('parser.protocol.drawn') : spellUnseen(id)
  const furthest = reason?.furthest.find((each) => !isDrawn || each.protocol === protocol)
  return (
    <section className={CARD} aria-label={t('parser.reason')}>
      <h3 className="font-600 text-ask">{t('parser.reason')}</h3>
      {!other && furthest && (
        <>
          <p>{t('parser.reason.furthest', { protocol: nameOf(furthest.protocol) })}</p>
          <PlaceText place={furthest.place}>
            {t('parser.reason.expected', { expected: spellUnseen(furthest.expected) })}
          </PlaceText>
        </>
      )}
      {other && (
        <div className="cluster">
          <p className="min-w-0 flex-1">
            {t('parser.reason.other', {
              protocol: nameOf(other.protocols[0]!),
              others: other.protocols.length - 1,
              calls: t('parser.count.calls', { count: other.counts.calls }),
            })}
          </p>
          <Button small onClick={() => changeParser({ protocol: other.protocols[0]! })}>
            {t('parser.reason.readAs', { protocol: nameOf(other.protocols[0]!) })}
          </Button>
        </div>
      )}
      {!other && reason && !furthest && (
        <p className="text-ink-2">
          {t(
            isDrawn
              ? 'parser.reason.nothingDrawn'
              : protocol === 'auto'
                ? 'parser.reason.nothing'
                : 'parser.reason.nothingAnywhere',
          )}
        </p>
      )}
    </section>
  )
}

/** Complete calls that are ignored because of their position. A click scrolls there. */
export function IgnoredList({
  ignored,
  onPick,
}: {
  readonly ignored: readonly IgnoredCall[]
  readonly onPick: (from: number) => void
}): ReactNode {
  const { t, number } = useWords()
  return (
    <ul className="grid gap-1">
      {ignored.map(({ why, name, from, to }) => (
        <li key={from}>
          <button
            type="button"
            className="w-full text-left wrap-anywhere hover:underline"
            title={t('parser.showPlace')}
            onClick={() => onPick(from)}
          >
            {t(`parser.ignored.${why}`, { name: spellUnseen(name) })}
            <span className="ml-2 text-11 whitespace-nowrap text-ink-2 tabular-nums">
              {number(from)}–{number(to)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
