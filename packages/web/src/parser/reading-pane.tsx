import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import { Banner } from '../ui/banner.tsx'
import { spellUnseen } from '../ui/unseen.ts'
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
import { CountChips, type Counted, firstOf, firstProblem } from './understood/count-chips.tsx'
import { IgnoredList, ReasonCard } from './understood/reason-card.tsx'
import { type Revealed, UnderstoodList } from './understood/understood-list.tsx'
import type { KnownProtocols } from './use-protocols.ts'
import type { ReadState } from './use-reading.ts'
import type { UsedTools } from './use-tools.ts'
import type { Item } from './worker/item.ts'
import type { Counts, Reading } from './worker/messages.ts'

/**
 * A change of at least this many characters counts as a new text; smaller ones are typing and must
 * not scroll.
 */
const OTHER_TEXT = 24

/** The pause in changes before the counts are announced, in milliseconds. */
const PAUSE = 1000

const ReplyEditor = lazy(() => import('./editor/reply-editor.tsx'))

/** The reply beside its pieces, with the replay below. */
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
      <div
        className={`pane grid grid-rows-[auto_minmax(0,1fr)_auto] overflow-hidden phone:flex-none phone:overflow-visible ${isEmpty ? 'phone:min-h-[46vh]' : 'phone:h-[38vh] phone:min-h-0'}`}
      >
        <OptionsBar {...{ state, tools, known }} until={isReplaying ? until : state.text.length} />
        <Suspense fallback={<div className="skeleton m-4" />}>
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
      <div className="col-[2] row-[1] grid min-h-0 min-w-0 grid-rows-[auto_minmax(0,1fr)] border-l border-line bg-bg in-data-beside:col-[1] in-data-beside:row-[2] in-data-beside:max-h-none! in-data-beside:border-t in-data-beside:border-l-0 phone:order-2 phone:max-h-[70vh] phone:flex-none phone:border-t phone:border-l-0">
        <div className="toolbar min-h-[49px]">
          <h2 className="font-580">{t('parser.understood')}</h2>
          {reading && shown && !isEmpty && (
            <>
              <span className="cluster gap-1" data-counts>
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
            {/* If the list has a malformed piece, it already explains the problem. */}
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
              <section
                className="mx-3 mt-2.5 mb-3 grid gap-1.5 rounded-md border border-line bg-panel px-[11px] py-[9px]"
                aria-label={t('parser.ignored')}
              >
                <IgnoredList ignored={reading.ignored} onPick={pickPlace} />
              </section>
            )}
          </UnderstoodList>
        ) : (
          <p className="pane-content text-ink-2">
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

/** Announces the counts to screen readers after typing pauses. */
function SpokenCounts({ counts }: { readonly counts: Counts }): ReactNode {
  const { t } = useWords()
  const { calls, cut, problems, repairs, malformed } = counts
  const text = [
    calls === 0 ? t('parser.count.none') : t('parser.count.calls', { count: calls }),
    ...(repairs > 0 ? [t('parser.count.repairs', { count: repairs })] : []),
    ...(cut > 0 ? [t('parser.count.cut', { count: cut })] : []),
    ...(problems > 0 ? [t('parser.count.problems', { count: problems })] : []),
    ...(malformed > 0 ? [t('parser.count.malformed', { count: malformed })] : []),
  ].join(', ')
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <span className="sr-only" role="status">
      {said}
    </span>
  )
}

/** Shows the first problem of a newly opened or pasted text. */
function useFirstProblem(
  reading: Reading | undefined,
  loaded: number,
  show: (revealed: Revealed) => void,
): void {
  const before = useRef({ length: 0, loaded: -1 })
  useEffect(() => {
    if (!reading) return
    const { length } = reading
    const isOther =
      loaded !== before.current.loaded || Math.abs(length - before.current.length) > OTHER_TEXT
    // The previous text stays until the new one is parsed.
    before.current = { length, loaded: isOther && length === 0 ? -1 : loaded }
    const piece = isOther ? firstProblem(reading) : undefined
    if (piece !== undefined) show({ piece, isProblem: true })
  }, [reading, loaded, show])
}
