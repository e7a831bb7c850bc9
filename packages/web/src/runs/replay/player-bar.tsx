import {
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Icon } from '../../ui/icon.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useWords } from '../../words/words.ts'
import type { History } from './use-history.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'

/** The number of events per second at the lowest speed. */
const RATE = 8
/** Multiples of the lowest speed. */
const SPEEDS = ['1', '4', '16', '100'] as const
type Speed = (typeof SPEEDS)[number]

/** The position of a replay and its controls. */
export interface Player {
  /** The number of events that have happened. */
  readonly at: number
  readonly isPlaying: boolean
  readonly speed: Speed
  readonly setSpeed: (speed: Speed) => void
  /** Moves to a position and pauses. */
  readonly seek: (at: number) => void
  readonly toggle: () => void
}

/**
 * Plays a replay with this number of events. It stops at the end, and waits there while more events
 * are loading.
 */
export function usePlayer(
  count: number,
  isLoading: boolean,
  start: number,
  plays: boolean,
): Player {
  const [at, setAt] = useState(start)
  const [isPlaying, setPlaying] = useState(plays)
  const [speed, setSpeed] = useState<Speed>('1')
  const latest = useRef({ at, count, isLoading })
  useLayoutEffect(() => {
    latest.current = { at, count, isLoading }
  })
  useEffect(() => {
    if (!isPlaying) return
    let before = performance.now()
    let rest = 0
    let frame = requestAnimationFrame(function next(now) {
      rest += ((now - before) / 1000) * RATE * Number(speed)
      before = now
      const steps = Math.floor(rest)
      rest -= steps
      const { at: here, count: end, isLoading: isMore } = latest.current
      if (steps > 0 && here < end) setAt(Math.min(end, here + steps))
      if (here >= end && end > 0 && !isMore) return setPlaying(false)
      frame = requestAnimationFrame(next)
    })
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, speed])
  const seek = useCallback((next: number) => {
    setPlaying(false)
    setAt(Math.max(0, Math.min(next, latest.current.count)))
  }, [])
  const toggle = useCallback(() => {
    const { at: here, count: end, isLoading: isMore } = latest.current
    // Starts over from the end.
    if (here >= end && !isMore) setAt(0)
    setPlaying((before) => !before)
  }, [])
  return { at, isPlaying, speed, setSpeed, seek, toggle }
}

/** The controls of a replay. */
export function PlayerBar({
  player: { isPlaying, speed, setSpeed, seek, toggle },
  history,
  at,
  count,
  time,
  isLoading,
}: {
  readonly player: Player
  readonly history: History
  readonly at: number
  readonly count: number
  readonly time: number | undefined
  readonly isLoading: boolean
}): ReactNode {
  const { t, number, date } = useWords()
  const position = t('runs.replay.position', { at: number(at), count: number(count) })
  return (
    <div
      className="grid gap-[7px] border-t border-line bg-panel px-4 pt-[9px] pb-[11px]"
      role="group"
      aria-label={t('runs.replay')}
    >
      <input
        className="w-full accent-ink"
        type="range"
        min={0}
        max={Math.max(count, 1)}
        value={at}
        aria-label={t('runs.replay.event')}
        aria-valuetext={position}
        onChange={({ target }) => seek(Number(target.value))}
        onKeyDown={(event) => {
          if (event.key === ' ') {
            event.preventDefault()
            return toggle()
          }
          if (!event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
          event.preventDefault()
          seek(history.stopFrom(at, event.key === 'ArrowRight' ? 1 : -1))
        }}
      />
      <div className="cluster flex-nowrap phone:flex-wrap">
        <IconButton
          icon="prev"
          label={t('runs.replay.previousTurn')}
          title={`${t('runs.replay.previousTurn')}  ⇧←`}
          onClick={() => seek(history.stopFrom(at, -1))}
        />
        <Button onClick={toggle} title={t('runs.replay.play')}>
          <Icon name={isPlaying ? 'pause' : 'play'} />
          {t(isPlaying ? 'runs.replay.pause' : 'runs.replay.start')}
        </Button>
        <IconButton
          icon="next"
          label={t('runs.replay.nextTurn')}
          title={`${t('runs.replay.nextTurn')}  ⇧→`}
          onClick={() => seek(history.stopFrom(at, 1))}
        />
        <span className="tabular-nums">{position}</span>
        {isLoading && <Spinner />}
        <span className="min-w-0 flex-1" />
        {time !== undefined && at > 0 && (
          <span className="text-ink-2 tabular-nums phone:hidden!">
            {date(time, { timeStyle: 'medium' })}
          </span>
        )}
        <SpeedChoice {...{ speed, setSpeed }} />
      </div>
    </div>
  )
}

/** Memoized, so it is not redrawn with every event. */
const SpeedChoice = memo(function SpeedChoice({
  speed,
  setSpeed,
}: Pick<Player, 'speed' | 'setSpeed'>): ReactNode {
  const { t } = useWords()
  return (
    <Segments
      label={t('runs.replay.speed')}
      value={speed}
      onChange={setSpeed}
      options={SPEEDS.map((value) => ({ value, label: `${value}×` }))}
    />
  )
})
