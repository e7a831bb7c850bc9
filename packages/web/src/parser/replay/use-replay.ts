import { useEffect } from 'react'
import { useCommands } from '../../app/commands.ts'
import type { Reading } from '../worker/messages.ts'
import { type ReplayState, replayStore } from './replay-store.ts'
import { eventStep } from './shown-at.ts'

/** The actions of a replay. */
export interface Replay {
  readonly go: (step: number) => void
  readonly move: (by: number) => void
  readonly jump: (direction: 1 | -1) => void
  readonly toggle: () => void
}

/** The playback interval, and the maximum duration for long texts, in milliseconds. */
const TICK = 60
const MAX_TIME = 30_000

/** Steps through the chunks of a reply with buttons and keys, or automatically. */
export function useReplay(reading: Reading | undefined): Replay {
  const count = reading?.steps.count ?? 0
  const isPlaying = replayStore.use(isPlayingNow)
  const at = (): number => Math.min(replayStore.get().step ?? count, count)
  const go = (step: number, isPlaying = false): void => {
    const next = Math.max(0, Math.min(count, step))
    replayStore.change({
      step: next >= count ? undefined : next,
      isPlaying: isPlaying && next < count,
    })
  }
  const replay: Replay = {
    go: (step) => go(step),
    move: (by) => go(at() + by),
    jump: (direction) => reading && go(eventStep(reading, at(), direction)),
    toggle() {
      const { isPlaying: isOn, step } = replayStore.get()
      if (isOn) replayStore.change({ isPlaying: false })
      else if (count > 0) replayStore.change({ isPlaying: true, step: step ?? 0 })
    },
  }
  useEffect(() => {
    if (!isPlaying) return
    const stride = Math.max(1, Math.ceil((count * TICK) / MAX_TIME))
    const timer = setInterval(() => go(at() + stride, true), TICK)
    return () => clearInterval(timer)
    // A new text starts a new replay.
  }, [count, isPlaying])
  useCommands(
    count === 0
      ? []
      : [
          {
            id: 'parser play',
            label: 'parser.play',
            group: 'here',
            icon: 'play',
            keys: 'Space',
            run: replay.toggle,
          },
          {
            id: 'parser next chunk',
            label: 'parser.nextChunk',
            group: 'here',
            keys: 'ArrowRight',
            repeats: true,
            run: () => replay.move(1),
          },
          {
            id: 'parser previous chunk',
            label: 'parser.previousChunk',
            group: 'here',
            keys: 'ArrowLeft',
            repeats: true,
            run: () => replay.move(-1),
          },
          {
            id: 'parser next event',
            label: 'parser.nextEvent',
            group: 'here',
            icon: 'next',
            keys: 'shift+ArrowRight',
            repeats: true,
            run: () => replay.jump(1),
          },
          {
            id: 'parser previous event',
            label: 'parser.previousEvent',
            group: 'here',
            icon: 'prev',
            keys: 'shift+ArrowLeft',
            repeats: true,
            run: () => replay.jump(-1),
          },
        ],
  )
  return replay
}

function isPlayingNow({ isPlaying }: ReplayState): boolean {
  return isPlaying
}
