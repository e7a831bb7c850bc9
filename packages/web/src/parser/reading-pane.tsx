import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Banner } from '../ui/banner.tsx'
import { spellUnseen } from '../ui/spell-unseen.ts'
import { useWords } from '../words/words.ts'
import type { Look } from './editor/look.ts'
import type { EditorPlace } from './editor/reply-editor.tsx'
import { OptionsBar } from './options-bar.tsx'
import { startOf } from './pieces.ts'
import { changeParser, type ParserState } from './parser-store.ts'
import { type ReplayState, replayStore } from './replay/replay-store.ts'
import { ReplayBar } from './replay/replay-bar.tsx'
import { countsAt, shownAt } from './replay/shown-at.ts'
import type { Replay } from './replay/use-replay.ts'
import { Samples } from './samples.tsx'
import { CountChips } from './understood/count-chips.tsx'
import { type Counted, firstOf } from './understood/first-of.ts'
import { IgnoredList } from './understood/ignored-list.tsx'
import { ReasonCard } from './understood/reason-card.tsx'
import { SpokenCounts } from './understood/spoken-counts.tsx'
import { type Revealed, UnderstoodList } from './understood/understood-list.tsx'
import { useFirstProblem } from './understood/use-first-problem.ts'
import type { KnownProtocols } from './use-protocols.ts'
import type { ReadState } from './use-reading.ts'
import type { UsedTools } from './use-tools.ts'
import type { Item } from './worker/item.ts'

const ReplyEditor = lazy(() => import('./editor/reply-editor.tsx'))

/** The reply beside what was understood of it, and the replay below. */
export function ReadingPane({
  state,
  read,
  replay,
  tools,
  known,
}: {
  readonly state: ParserState
  readonly read: ReadState
  readonly replay: Replay
  readonly tools: UsedTools
  readonly known: KnownProtocols
}): ReactNode {
  const { t } = useWords()
  const { reading } = read
  const step = replayStore.use(stepOf)
  const [hot, setHot] = useState<number>()
  const [reveal, setReveal] = useState<Revealed>()
  const place = useRef<EditorPlace>(null)
  const shown = useMemo(() => reading && shownAt(reading, step), [reading, step])
  const look = useMemo(
    (): Look | undefined =>
      reading &&
      shown && {
        ...reading,
        count: shown.pieces,
        place: shown.place,
        until: shown.until,
        isOpen: shown.openName !== undefined,
        hot,
      },
    [reading, shown, hot],
  )
  const isReplaying = step !== undefined
  const until = shown?.until ?? 0
  useEffect(() => {
    if (isReplaying) place.current?.reveal(until)
  }, [isReplaying, until])
  const refuse = useCallback(
    (length: number) => changeParser({ notice: { type: 'too-long', length } }),
    [],
  )
  const pickItem = useCallback(({ from, at }: Pick<Item, 'at' | 'from'>): void => {
    setHot(at)
    place.current?.reveal(from)
  }, [])
  const pickPiece = useCallback((piece: number) => setReveal({ piece }), [])
  const pickPlace = useCallback((from: number) => place.current?.reveal(from), [])
  const pickFirst = (counted: Counted): void => {
    const piece = reading && firstOf(reading, counted)
    if (piece === undefined) return
    setReveal({ piece, isProblem: true, isFar: true })
    pickItem({ at: piece, from: startOf(reading!, piece) })
  }
  useFirstProblem(isReplaying ? undefined : reading, state.loaded, setReveal)
  const hasAnswer = !!reading && reading.counts.calls + reading.counts.malformed > 0
  const isEmpty = state.text === '' && (reading?.length ?? 0) === 0
  return (
    <>
      <div className="pane reply-pane">
        <OptionsBar {...{ state, tools, known }} until={isReplaying ? until : state.text.length} />
        <Suspense fallback={<div className="skel m-4" />}>
          <ReplyEditor
            text={state.text}
            loaded={state.loaded}
            look={look}
            label={t('parser.reply')}
            placeholder={t('parser.placeholder')}
            onRefuse={refuse}
            onHover={setHot}
            onPick={pickPiece}
            place={place}
          />
        </Suspense>
        {isEmpty && <Samples />}
      </div>
      <div className="side-readings">
        <div className="bar">
          <h2>{t('parser.understood')}</h2>
          {reading && shown && !isEmpty && (
            <>
              <span className="rowline chips">
                <CountChips counts={countsAt(reading, shown)} onPick={pickFirst} />
              </span>
              {!isReplaying && <SpokenCounts counts={reading.counts} />}
            </>
          )}
        </div>
        {reading && shown && !isEmpty ? (
          <UnderstoodList
            client={read.client}
            {...{ reading, shown, hot, reveal }}
            onHover={setHot}
            onPick={pickItem}
          >
            {read.error !== undefined && (
              <Banner kind="no" icon="hand">
                {t('parser.failed', { message: spellUnseen(read.error) })}
              </Banner>
            )}
            {/* What was begun and not understood is the answer, and it is in the list. */}
            {!isReplaying && !hasAnswer && (
              <ReasonCard
                protocol={state.protocol}
                reading={reading}
                comparison={read.comparison}
                reason={read.reason}
                onPick={pickPlace}
              />
            )}
            {!isReplaying && hasAnswer && reading.ignored.length > 0 && (
              <section className="reason quiet" aria-label={t('parser.ignored')}>
                <IgnoredList ignored={reading.ignored} onPick={pickPlace} />
              </section>
            )}
          </UnderstoodList>
        ) : (
          <p className="dim pad">
            {read.error === undefined
              ? t('parser.understood.nothing')
              : t('parser.failed', { message: spellUnseen(read.error) })}
          </p>
        )}
      </div>
      <ReplayBar {...{ read, state, replay }} />
    </>
  )
}

function stepOf({ step }: ReplayState): number | undefined {
  return step
}
