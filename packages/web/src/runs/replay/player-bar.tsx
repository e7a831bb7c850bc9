import { memo } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useWords } from '../../words/words.ts'
import type { History } from './history.ts'
import { type Player, SPEEDS } from './use-player.ts'

/** Moves through a replay. */
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
    <div className="player" role="group" aria-label={t('runs.replay')}>
      <input
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
      <div className="rowline">
        <button
          type="button"
          className="icon-btn sm"
          aria-label={t('runs.replay.previousTurn')}
          title={`${t('runs.replay.previousTurn')}  ⇧←`}
          onClick={() => seek(history.stopFrom(at, -1))}
        >
          <Icon name="prev" />
        </button>
        <button type="button" className="btn" onClick={toggle} title={t('runs.replay.play')}>
          <Icon name={isPlaying ? 'pause' : 'play'} />
          {t(isPlaying ? 'runs.replay.pause' : 'runs.replay.start')}
        </button>
        <button
          type="button"
          className="icon-btn sm"
          aria-label={t('runs.replay.nextTurn')}
          title={`${t('runs.replay.nextTurn')}  ⇧→`}
          onClick={() => seek(history.stopFrom(at, 1))}
        >
          <Icon name="next" />
        </button>
        <span className="num">{position}</span>
        {isLoading && <span className="spin" />}
        <span className="grow" />
        {time !== undefined && at > 0 && (
          <span className="num dim wide-only">{date(time, { timeStyle: 'medium' })}</span>
        )}
        <SpeedChoice {...{ speed, setSpeed }} />
      </div>
    </div>
  )
}

/** It is not drawn again with every event. */
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
