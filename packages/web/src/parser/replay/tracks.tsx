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
  'call-start': 'call',
  'call-end': 'ok',
  malformed: 'no',
  result: 'fake',
}
const MAX_STRIP = 300
const REASONING = KINDS.indexOf('reasoning')

/** One strip for each distinct reading, with one playhead through all of them. The first is the chosen one. */
export function Tracks({
  protocol,
  reading,
  comparison,
  step,
  replay,
}: {
  readonly protocol: string
  readonly reading: Reading
  readonly comparison: Comparison | undefined
  readonly step: number
  readonly replay: Replay
}): ReactNode {
  const { t, number } = useWords()
  const { steps } = reading
  const strip = useMemo(() => stripOf(reading, MAX_STRIP), [reading])
  const all = comparison?.tracks ?? []
  const same = all.find(({ protocols }) => protocols.includes(protocol))
  const left = `${steps.count === 0 ? 100 : (step / steps.count) * 100}%`
  return (
    <div className="tracks-scroll">
      <div className="tracks" role="group" aria-label={t('parser.tracks')}>
        <div className="trk sel">
          <TrackName id={protocol} others={(same?.protocols.length ?? 1) - 1} />
          <div className="track">
            <TrackStrip pieces={strip} />
            <span className="veil-later" style={{ left }} />
            <Ticks {...steps} />
            <input
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
            <span className="knob" style={{ left }} />
          </div>
          <span className="e">
            <CountChips
              counts={reading.counts}
              hasReasoning={reading.kinds.includes(REASONING)}
              isShort
            />
          </span>
        </div>
        <OtherTracks all={all} same={same} />
        <div className="head" aria-hidden="true">
          <i style={{ left }} />
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
        className="trk alt"
        title={t('parser.track.choose', { protocols: protocols.join(', ') })}
        onClick={() => changeParser({ protocol: protocols[0]! })}
      >
        <TrackName id={protocols[0]!} others={protocols.length - 1} />
        <TrackStrip pieces={strip} />
        <span className="e">
          <CountChips counts={counts} hasReasoning={hasReasoning} isShort />
        </span>
      </button>
    ))
})

function TrackName({ id, others }: { readonly id: string; readonly others: number }): ReactNode {
  const { t } = useWords()
  return (
    <span className="n">
      <span className="min-w-0 truncate">
        <ProtocolName id={id} />
      </span>
      {others > 0 && <small>{t('parser.track.others', { count: others })}</small>}
    </span>
  )
}

const Ticks = memo(function Ticks({ ticks, count }: Pick<Steps, 'ticks' | 'count'>): ReactNode {
  return ticks.map(([step, kind]: Tick, at) => (
    <span
      key={at}
      className={`tick ${TICKS[kind]}`}
      style={{ left: `${count === 0 ? 0 : (step / count) * 100}%` }}
    />
  ))
})
