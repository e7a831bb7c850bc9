import { memo, useMemo } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { changeParser } from '../parser-store.ts'
import { ProtocolName } from '../protocol-option.tsx'
import { CountChips } from '../understood/count-chips.tsx'
import {
  type Comparison,
  KINDS,
  type Reading,
  type Steps,
  type Tick,
  type TickKind,
  type Track,
} from '../worker/messages.ts'
import { stripOf } from '../worker/strip-of.ts'
import { TrackStrip } from './track-strip.tsx'
import type { Replay } from './use-replay.ts'

const TICKS: Readonly<Record<TickKind, string>> = {
  'call-start': 'bg-solid-call',
  'call-end': 'bg-solid-ok',
  malformed: 'bg-solid-no',
  result: 'bg-solid-fake',
}
const TRACK =
  'grid h-6 w-full grid-cols-[148px_minmax(0,1fr)_252px] items-center gap-3 text-left max-[1281px]:grid-cols-[148px_minmax(0,1fr)_152px] phone:grid-cols-[86px_minmax(0,1fr)_66px] phone:gap-2'
const COUNTS = 'flex justify-end gap-1 phone:[&_.chip:nth-child(n+2)]:hidden'
const MAX_STRIP = 300
const REASONING = KINDS.indexOf('reasoning')

/**
 * One strip for each distinct reading, with a common playhead. The chosen protocol's reading is
 * first.
 */
export function Tracks({
  protocol,
  reading,
  comparison,
  step,
  replay,
  isUnfolded,
}: {
  readonly protocol: string
  readonly reading: Reading
  readonly comparison: Comparison | undefined
  readonly step: number
  readonly replay: Replay
  /** True if phones also show the other readings. */
  readonly isUnfolded: boolean
}): ReactNode {
  const { t, number } = useWords()
  const { steps } = reading
  const strip = useMemo(() => stripOf(reading, MAX_STRIP), [reading])
  const all = comparison?.tracks ?? []
  const same = all.find(({ protocols }) => protocols.includes(protocol))
  const left = `${steps.count === 0 ? 100 : (step / steps.count) * 100}%`
  return (
    <div className="-mx-1.5 max-h-[min(172px,26vh)] overflow-auto px-1.5">
      <div className="relative grid gap-px" role="group" aria-label={t('parser.tracks')}>
        <div className={TRACK} data-track="chosen">
          <TrackName isChosen id={protocol} others={(same?.protocols.length ?? 1) - 1} />
          <div className="relative h-[26px]">
            <TrackStrip pieces={strip} className="absolute inset-x-0 top-[9px]" />
            <span
              className="absolute top-2 right-0 bottom-2 bg-[color-mix(in_srgb,var(--panel)_72%,transparent)]"
              style={{ left }}
            />
            <Ticks {...steps} />
            <input
              className="peer absolute inset-0 m-0 w-full cursor-ew-resize opacity-0"
              type="range"
              min={0}
              max={steps.count}
              value={step}
              aria-label={t('parser.chunk')}
              aria-valuetext={t('parser.chunks.of', {
                step: number(step),
                count: number(steps.count),
              })}
              onChange={({ target }) => replay.go(Number(target.value))}
              onKeyDown={(event) => {
                if (event.key === ' ') replay.toggle()
                else if (event.shiftKey && event.key === 'ArrowRight') replay.jump(1)
                else if (event.shiftKey && event.key === 'ArrowLeft') replay.jump(-1)
                else return
                event.preventDefault()
              }}
            />
            <span
              className="pointer-events-none absolute top-[3px] h-5 w-[3px] -translate-x-px rounded-[2px] bg-ink peer-focus-visible:shadow-focus"
              style={{ left }}
            />
          </div>
          <span className={COUNTS}>
            <CountChips
              counts={reading.counts}
              hasReasoning={reading.kinds.includes(REASONING)}
              isShort
            />
          </span>
        </div>
        <OtherTracks all={all} same={same} />
        <div
          className={`pointer-events-none absolute top-[26px] right-[264px] bottom-0 left-40 max-[1281px]:right-[164px] phone:right-[74px] phone:left-[94px] ${isUnfolded ? '' : 'phone:hidden'}`}
          aria-hidden="true"
        >
          <i className="absolute inset-y-0 w-px bg-ink opacity-55" style={{ left }} />
        </div>
      </div>
    </div>
  )
}

const OtherTracks = memo(function OtherTracks({
  all,
  same,
}: {
  readonly all: readonly Track[]
  readonly same: Track | undefined
}): ReactNode {
  const { t } = useWords()
  return all
    .filter((track) => track !== same)
    .map(({ protocols, counts, hasReasoning, strip }) => (
      <button
        key={protocols[0]}
        type="button"
        className={`${TRACK} rounded-sm hover:bg-hover phone:hidden`}
        data-track="other"
        title={t('parser.track.choose', { protocols: protocols.join(', ') })}
        onClick={() => changeParser({ protocol: protocols[0]! })}
      >
        <TrackName id={protocols[0]!} others={protocols.length - 1} />
        <TrackStrip pieces={strip} className="opacity-86" />
        <span className={COUNTS}>
          <CountChips counts={counts} hasReasoning={hasReasoning} isShort />
        </span>
      </button>
    ))
})

function TrackName({
  id,
  others,
  isChosen = false,
}: {
  readonly id: string
  readonly others: number
  readonly isChosen?: boolean
}): ReactNode {
  const { t } = useWords()
  return (
    <span className={`flex min-w-0 gap-1.5 text-12 ${isChosen ? 'font-[650]' : ''}`}>
      <span className="min-w-0 truncate">
        <ProtocolName id={id} />
      </span>
      {others > 0 && (
        <small className="whitespace-nowrap text-ink-3 [font:400_11px/18px_var(--font-sans)] phone:hidden">
          {t('parser.track.others', { count: others })}
        </small>
      )}
    </span>
  )
}

const Ticks = memo(function Ticks({ ticks, count }: Pick<Steps, 'ticks' | 'count'>): ReactNode {
  return ticks.map(([step, kind]: Tick, at) => (
    <span
      key={at}
      className={`absolute top-0 h-1.5 w-[1.5px] ${TICKS[kind]}`}
      style={{ left: `${count === 0 ? 0 : (step / count) * 100}%` }}
    />
  ))
})
