import { useMemo, type DragEvent, type ReactNode, useRef, useEffect } from 'react'
import { Segments } from '../ui/segments.tsx'
import { useWords } from '../words/words.ts'
import { ComparePane } from './compare/compare-pane.tsx'
import { STARTS } from './draw/starts.ts'
import { NoticeBanner } from './notice-banner.tsx'
import {
  drawnNow,
  type ParserState,
  useParserState,
  changeParser,
  keepDrawing,
  draw,
  showText,
  loadReply,
  parserState,
} from './parser-store.ts'
import { ReadingPane } from './reading-pane.tsx'
import { useReplay } from './replay/use-replay.ts'
import { openFile, showOpened, ShareButtons } from './share/share-buttons.tsx'
import { type ParserTab, useSources, absent, type ParserAddress } from './sources.ts'
import { useChosenProtocol, useProtocols } from './use-protocols.ts'
import { useParseClient, useReading } from './use-reading.ts'
import { useTools } from './use-tools.ts'
import { Banner } from '../ui/banner.tsx'
import { DrawPane } from './draw/draw-pane.tsx'
import { useCheckedPicture } from './draw/check-picture.ts'
import { replyInFragment } from './parser-link.ts'
import { Button } from '../ui/button.tsx'

const TABS: readonly ParserTab[] = ['reading', 'compare', 'draw']

const LAYOUTS: Readonly<Record<ParserTab, string>> = {
  reading:
    'grid grid-cols-[minmax(0,1fr)_400px] grid-rows-[minmax(0,1fr)_auto] laptop:grid-cols-[minmax(0,1fr)_352px] tablet:grid-cols-[minmax(0,1fr)_320px] phone:flex phone:flex-col phone:overflow-visible',
  compare:
    'grid grid-cols-1 grid-rows-[minmax(0,1fr)] phone:flex phone:flex-col phone:overflow-visible',
  draw: 'grid grid-cols-[minmax(0,1.7fr)_minmax(300px,1fr)] grid-rows-[minmax(0,1fr)] max-[1081px]:block max-[1081px]:overflow-auto',
}

/** The Parser: a reply, its pieces, and the problems in it. */
export function ParserPage(): ReactNode {
  const { t } = useWords()
  const sources = useSources()
  const { Frame, RunButton, useAddress } = sources
  const address = useAddress()
  const state = useParserState()
  const tools = useTools(state)
  const client = useParseClient(sources)
  const known = useProtocols(client)
  const isDrawing = address.tab === 'draw'
  const drawing = useMemo(() => drawnState(state), [state])
  const shown = isDrawing ? drawing : state
  const isReady = useChosenProtocol(state, known)
  const read = useReading(client, shown, tools.used, isDrawing || isReady)
  const replay = useReplay(read.reading)
  const isOpening = useOpened(address)
  return (
    <Frame
      actions={
        <>
          <Segments
            label={t('parser.tabs')}
            value={address.tab}
            onChange={address.show}
            options={TABS.map((tab) => ({ value: tab, label: t(`parser.tab.${tab}`) }))}
          />
          {RunButton && <RunButton />}
          <ShareButtons tools={tools} isEmpty={state.text === ''} state={shown} />
        </>
      }
    >
      <div
        className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)] phone:grid-rows-[auto_auto] phone:content-start phone:overflow-auto"
        data-parser
        aria-busy={isOpening}
        onDragOverCapture={acceptFile}
        onDropCapture={(event) => {
          const file = event.dataTransfer.files[0]
          if (!file) return
          event.preventDefault()
          event.stopPropagation()
          void openFile(file)
        }}
      >
        {state.notice && <NoticeBanner notice={state.notice} />}
        {isDrawing && <DrawnBanner state={state} />}
        <div className={`stack row-[2] min-h-0 ${LAYOUTS[address.tab]}`}>
          {address.tab === 'compare' ? (
            <ComparePane {...{ state, read, known, isOpening }} />
          ) : isDrawing ? (
            <DrawTab source={drawnNow(drawing)}>
              <ReadingPane {...{ read, replay, tools, known }} state={shown} />
            </DrawTab>
          ) : (
            <ReadingPane {...{ state, read, replay, tools, known }} />
          )}
        </div>
      </div>
    </Frame>
  )
}

/** While the user draws a protocol, it parses the reply. The first template is used until then. */
function drawnState(state: ParserState): ParserState {
  const drawn = drawnNow(state).trim() === '' ? STARTS[0].source : drawnNow(state)
  return { ...state, protocol: 'drawn', drawn, fileDrawn: undefined }
}

function acceptFile(event: DragEvent): void {
  if (event.dataTransfer.types.includes('Files')) event.preventDefault()
}

/** Shows that the protocol came with the text, and that the user's own drawing is kept. */
function DrawnBanner({ state: { drawn, fileDrawn } }: { readonly state: ParserState }): ReactNode {
  const { t } = useWords()
  if (fileDrawn === undefined || fileDrawn === drawn || drawn.trim() === '') return null
  return (
    <Banner
      icon="hand"
      className="mx-4 mt-2"
      action={
        <>
          <Button small onClick={() => changeParser({ fileDrawn: undefined })}>
            {t('parser.fileDrawn.back')}
          </Button>
          <Button look="ghost" small onClick={() => keepDrawing(fileDrawn)}>
            {t('parser.fileDrawn.keep')}
          </Button>
        </>
      }
    >
      {t('parser.fileDrawn')}
    </Banner>
  )
}

/** The tab for drawing a protocol, beside the reply parsed with it. */
function DrawTab({
  source,
  children,
}: {
  readonly source: string
  readonly children: ReactNode
}): ReactNode {
  const picture = useCheckedPicture(source)
  const beside = useRef<HTMLDivElement>(null)
  return (
    <>
      <DrawPane
        source={source}
        {...picture}
        onChange={draw}
        onTry={(text) => {
          showText(text)
          beside.current?.scrollIntoView({ block: 'nearest' })
        }}
      />
      <div
        className="grid min-h-0 min-w-0 grid-rows-[minmax(0,1fr)_minmax(0,1fr)] border-l border-line max-[1081px]:grid-rows-[320px_minmax(240px,auto)] max-[1081px]:border-t max-[1081px]:border-l-0"
        ref={beside}
        data-beside
      >
        {children}
      </div>
    </>
  )
}

/**
 * Opens the reply in the address: in its fragment, or of a run. Once the text is changed, the
 * address no longer refers to it. Returns true while the reply is loading.
 */
function useOpened({ fragment, run, turn, forgetText }: ParserAddress): boolean {
  const { useRecorded = absent.useRecorded } = useSources()
  const { value, error } = useRecorded(run, turn)
  const { from, edits } = useParserState()
  const key = run !== undefined ? `${run} ${turn ?? 0}` : fragment === '' ? undefined : fragment
  const seen = useRef(edits)
  useEffect(() => {
    if (seen.current === edits) return
    seen.current = edits
    if (key !== undefined) forgetText()
  })
  useEffect(() => {
    if (run !== undefined || key === undefined || parserState().from === key) return
    const { edits: before } = parserState()
    let isCurrent = true
    void replyInFragment(key).then((reply) => {
      // The user may have typed meanwhile.
      if (isCurrent && reply && parserState().edits === before) showOpened(reply, key)
    })
    return () => void (isCurrent = false)
  }, [run, key])
  useEffect(() => {
    if (run !== undefined && value !== undefined && parserState().from !== key)
      loadReply(value, undefined, key)
  }, [run, key, value])
  useEffect(() => {
    if (run !== undefined && error !== undefined)
      changeParser({ notice: { type: 'failed', message: error } })
  }, [run, error])
  return run === undefined
    ? (key?.startsWith('reply=') ?? false) && from !== key
    : value === undefined && error === undefined
}
