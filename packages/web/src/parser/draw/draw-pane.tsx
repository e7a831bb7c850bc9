import type { EditorView } from '@codemirror/view'
import { lazy, Suspense, useMemo, useRef, type ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import type { CheckedPicture, ShownProblem, Printed } from './check-picture.ts'
import { DrawBar, fileName } from './draw-bar.tsx'
import { DrawLaws, DrawNote } from './draw-laws.tsx'
import './draw-editor.css'
import { VisibleText } from '../../ui/visible-text.tsx'
import type { Mark } from '../../ui/editor/marks.ts'
import { Button } from '../../ui/button.tsx'

/** The maximum number of listed problems. */
const MAX_LISTED = 20

const TextEditor = lazy(() => import('../../ui/editor/text-editor.tsx'))

/** The props of the pane. The parent owns the text and has it checked in a worker. */
export interface DrawPaneProps {
  readonly source: string
  readonly onChange: (source: string) => void
  /** The findings about it, or about an earlier text while the check runs. */
  readonly result: CheckedPicture | undefined
  readonly isChecking: boolean
  /** Parses one of its examples in the reply pane. */
  readonly onTry?: (wire: string) => void
  /** True if the check took too long. */
  readonly isStopped?: boolean
}

/** An editor for a drawn protocol, with live findings. */
export function DrawPane({
  source,
  onChange,
  result,
  isChecking,
  isStopped = false,
  onTry,
}: DrawPaneProps): ReactNode {
  const { t } = useWords()
  const editor = useRef<EditorView>(null)
  const marks = useMemo(() => problemMarks(result, source), [result, source])
  const goTo = ({ from, to }: ShownProblem): void => {
    const view = editor.current
    if (!view) return
    const end = view.state.doc.length
    const selection = { anchor: Math.min(from, end), head: Math.min(to, end) }
    view.dispatch({ selection, scrollIntoView: true })
    view.focus()
  }
  return (
    <section
      className="@container/draw grid h-full min-h-0 min-w-0 grid-rows-[auto_minmax(0,1fr)] max-[1081px]:h-auto"
      aria-label={t('draw.title')}
    >
      <DrawBar {...{ source, onChange, result, isChecking }} />
      <div className="grid min-h-0 min-w-0 grid-rows-[minmax(220px,1.2fr)_minmax(0,1fr)] @min-[820px]/draw:grid-cols-[minmax(0,1.35fr)_minmax(320px,1fr)] @min-[820px]/draw:grid-rows-[minmax(0,1fr)]">
        <div className="grid min-h-0 min-w-0 border-b border-line bg-panel @min-[820px]/draw:border-r @min-[820px]/draw:border-b-0">
          <Suspense fallback={<div className="skeleton m-3" aria-label={t('draw.loading')} />}>
            <TextEditor
              value={source}
              onChange={onChange}
              label={t('draw.editor')}
              marks={marks}
              onReady={(view) => {
                editor.current = view
              }}
            />
          </Suspense>
        </div>
        <div className="grid min-h-0 min-w-0 content-start gap-4 overflow-auto px-4 pt-3 pb-5 [&_.label]:mb-1.5">
          <DrawProblems result={result} onGoTo={goTo} />
          {onTry && <DrawExamples result={result} onTry={onTry} />}
          <DrawLaws {...{ result, isStopped, isChecking }} />
          <DrawPrinted result={result} />
          <p className="text-12 wrap-anywhere text-ink-3">
            {t('draw.notRun')}{' '}
            {t('draw.file.help', { command: `toolglot protocols --check ./${fileName(result)}` })}
          </p>
        </div>
      </div>
    </section>
  )
}

/** The examples of a drawn protocol. A click parses one of them. */
function DrawExamples({
  result,
  onTry,
}: {
  readonly result: CheckedPicture | undefined
  readonly onTry: (wire: string) => void
}): ReactNode {
  const { t } = useWords()
  if (!result || result.examples.length === 0) return null
  return (
    <section aria-label={t('draw.examples')}>
      <h3 className="label">{t('draw.examples')}</h3>
      <div className="flex flex-wrap gap-1.5">
        {result.examples.map(({ title, wire }) => (
          <Button
            key={title}
            small
            className="h-auto min-h-[25px] max-w-full text-start wrap-anywhere whitespace-normal"
            title={t('draw.examples.read')}
            onClick={() => onTry(wire)}
          >
            <VisibleText text={title} />
          </Button>
        ))}
      </div>
    </section>
  )
}

/** The underlined ranges in the editor. Empty while it shows another text than the checked one. */
function problemMarks(result: CheckedPicture | undefined, source: string): Mark[] {
  if (result?.source !== source) return []
  return result.problems
    .map(({ from, to, message }) => ({
      ...visible(from, to, source.length),
      className: 'draw-problem',
      attributes: { title: message },
    }))
    .sort((one, other) => one.from - other.from || other.to - one.to)
}

/** Extends an empty range to the character beside it. */
function visible(from: number, to: number, length: number): { from: number; to: number } {
  if (to > from) return { from, to }
  return from < length ? { from, to: from + 1 } : { from: Math.max(0, from - 1), to: from }
}

/** The output of a drawn protocol: a call, a result, and its prompt. */
function DrawPrinted({ result }: { readonly result: CheckedPicture | undefined }): ReactNode {
  const { t } = useWords()
  if (!result?.call) return null
  return (
    <section aria-label={t('draw.printed')}>
      <h3 className="label">{t('draw.printed')}</h3>
      <dl className="grid gap-2.5">
        {(['call', 'result', 'prompt'] as const).map((part) => (
          <div key={part}>
            <dt className="mb-1 text-12 text-ink-2">{t(`draw.printed.${part}`)}</dt>
            <dd className="min-w-0">
              <PrintedText {...{ printed: result[part] }} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function PrintedText({ printed }: { readonly printed: Printed | undefined }): ReactNode {
  if (!printed) return null
  return 'text' in printed ? (
    <pre className="code max-h-[260px] wrap-anywhere whitespace-pre-wrap" tabIndex={0}>
      <VisibleText text={printed.text} />
    </pre>
  ) : (
    <p className="wrap-anywhere text-no">
      <VisibleText text={printed.error} />
    </p>
  )
}

/** The errors in a drawn protocol. A click goes to the place. */
function DrawProblems({
  result,
  onGoTo,
}: {
  readonly result: CheckedPicture | undefined
  readonly onGoTo: (problem: ShownProblem) => void
}): ReactNode {
  const { t } = useWords()
  if (!result) return null
  const { problems, isTaken, id = '' } = result
  const left = problems.length - MAX_LISTED
  return (
    <>
      {isTaken && <DrawNote icon="hand">{t('draw.taken', { id })}</DrawNote>}
      {problems.length > 0 && (
        <section aria-label={t('draw.problems')}>
          <h3 className="label">{t('draw.problems')}</h3>
          <ul className="grid gap-0.5">
            {problems.slice(0, MAX_LISTED).map((problem) => (
              <li key={`${problem.from} ${problem.to} ${problem.message}`}>
                <button
                  type="button"
                  className="grid w-full grid-cols-[minmax(44px,auto)_minmax(0,1fr)] gap-2 rounded-md px-2 py-[5px] text-start wrap-anywhere transition-[background] hover:bg-hover"
                  onClick={() => onGoTo(problem)}
                >
                  <span
                    className="font-mono text-12 text-no"
                    title={t('draw.problem.place', { line: problem.line, column: problem.column })}
                  >
                    {problem.line}:{problem.column}
                  </span>
                  <span>
                    <VisibleText text={problem.message} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {left > 0 && <p className="text-ink-2">{t('draw.problem.more', { count: left })}</p>}
        </section>
      )}
    </>
  )
}
