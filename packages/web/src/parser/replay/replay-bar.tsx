import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { spellUnseen } from '../../ui/unseen.ts'
import { type Key, useWords } from '../../words/words.ts'
import { MAX_STEPS } from '../limits.ts'
import { changeParser, type ParserState } from '../parser-store.ts'
import { endReplay, type ReplayState, replayStore } from './replay-store.ts'
import type { ReadState } from '../use-reading.ts'
import type { StepEvent } from '../worker/messages.ts'
import { shownAt } from './shown-at.ts'
import { Tracks } from './tracks.tsx'
import type { Replay } from './use-replay.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { Tone } from '../../ui/tone.ts'

const CHUNKS = [1, 6, 20, 100, 1000]
const CHIPS: Readonly<Record<string, Tone>> = {
  reasoning: 'think',
  'call-start': 'call',
  'call-delta': 'call',
  'call-end': 'call',
  malformed: 'no',
  result: 'fake',
}

/** The replay: the state after each chunk, and the reading of every protocol. */
export function ReplayBar({
  read,
  state: { protocol },
  replay,
}: {
  readonly read: ReadState
  readonly state: ParserState
  readonly replay: Replay
}): ReactNode {
  const { t, number } = useWords()
  const { isPlaying, step: wanted } = replayStore.use(itself)
  const { reading, comparison } = read
  /** Folded at first on phones, to leave room for the list. */
  const [isUnfolded, setUnfolded] = useState(false)
  if (!reading || reading.length === 0) return null
  const { step } = shownAt(reading, wanted)
  const { steps } = reading
  return (
    <section
      className="col-span-full row-[2] grid min-w-0 gap-[7px] border-t border-line bg-panel px-4 pt-[9px] pb-[11px] in-data-beside:hidden phone:sticky phone:bottom-0 phone:z-3 phone:order-3 phone:flex-none phone:px-3.5 phone:pt-2 phone:pb-2.5"
      aria-label={t('parser.replay')}
    >
      <div className="cluster">
        <Move icon="prev" name="parser.previousEvent" keys="⇧←" run={() => replay.jump(-1)} />
        <Move
          icon={isPlaying ? 'pause' : 'play'}
          name={isPlaying ? 'parser.pause' : 'parser.play'}
          keys={t('parser.space')}
          run={replay.toggle}
        />
        <Move icon="next" name="parser.nextEvent" keys="⇧→" run={() => replay.jump(1)} />
        <span className="min-w-28 whitespace-nowrap tabular-nums">
          {t('parser.chunks.of', { step: number(step), count: number(steps.count) })}
        </span>
        <StepEvents read={read} step={step} />
        <Compared read={read} />
        {comparison && comparison.tracks.length > 1 && (
          <Button
            look="ghost"
            small
            className="hidden phone:inline-flex phone:flex-none"
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            {t('parser.tracks.unfold', { count: comparison.tracks.length })}
            <Icon name={isUnfolded ? 'down' : 'up'} />
          </Button>
        )}
        <Menu
          label={t('parser.chunkSize')}
          side="top"
          align="end"
          items={CHUNKS.filter((size) => reading.length / size <= MAX_STEPS).map((size) => ({
            label: t('parser.chunkSize.of', { count: size }),
            isChosen: size === steps.chunk,
            run: () => setChunk(size),
          }))}
          trigger={
            <button type="button" className="picker-button picker-button-quiet">
              <span className="text-ink-2 phone:hidden!">{t('parser.chunkSize')}</span>
              {number(steps.chunk)}
              <Icon name="down" />
            </button>
          }
        />
      </div>
      <Tracks {...{ protocol, reading, comparison, step, replay, isUnfolded }} />
    </section>
  )
}

function Move({
  icon,
  name,
  keys,
  run,
}: {
  readonly icon: IconName
  readonly name: Key
  readonly keys: string
  readonly run: () => void
}): ReactNode {
  const { t } = useWords()
  return <IconButton icon={icon} label={t(name)} title={`${t(name)}  ${keys}`} onClick={run} />
}

function setChunk(chunk: number): void {
  endReplay()
  changeParser({ chunk })
}

function itself(state: ReplayState): ReplayState {
  return state
}

/** The events of this step. */
function StepEvents({
  read: { client, reading },
  step,
}: {
  readonly read: ReadState
  readonly step: number
}): ReactNode {
  const { t } = useWords()
  const [events, setEvents] = useState<readonly StepEvent[]>([])
  useEffect(() => {
    // Ignores the rejection of an outdated request.
    client.ask('events', { step }).then(setEvents, () => {})
  }, [client, reading, step])
  return (
    <span className="flex h-[22px] min-w-0 flex-1 items-center gap-1.5 overflow-hidden font-code text-[11.5px] whitespace-nowrap">
      {events.length === 0 && <Chip outline>{t('parser.event.none')}</Chip>}
      {events.map(({ type, text }, at) => (
        <Chip key={at} tone={Object.hasOwn(CHIPS, type) ? CHIPS[type] : undefined} mono>
          {type}
          {text !== undefined && type !== 'end' && ` ${JSON.stringify(spellUnseen(text))}`}
        </Chip>
      ))}
    </span>
  )
}

/** The number of distinct readings, and the time of the comparison. */
function Compared({
  read: { comparison, compare, reading, isCompared },
}: {
  readonly read: ReadState
}): ReactNode {
  const { t, number } = useWords()
  if (!comparison)
    return (
      <Button look="ghost" small onClick={compare} disabled={!reading || isCompared}>
        {isCompared && <Spinner aria-hidden="true" />}
        {t(isCompared ? 'parser.comparing' : 'parser.compareAll')}
      </Button>
    )
  const { count, tracks, time, readingTime } = comparison
  return (
    <span
      className="whitespace-nowrap text-ink-2 phone:hidden!"
      data-time={time.toFixed(1)}
      data-reading-time={readingTime.toFixed(1)}
    >
      {t('parser.ways', { protocols: number(count), count: tracks.length })}{' '}
      <small className="text-ink-3 tabular-nums">
        {t('chat.time.milliseconds', { value: number(Math.round(time)) })}
      </small>
    </span>
  )
}
