import type { EditorView } from '@codemirror/view'
import { lazy, Suspense, useMemo, useRef } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import type { CheckedPicture, ShownProblem } from './check-picture.ts'
import { DrawBar } from './draw-bar.tsx'
import { DrawExamples } from './draw-examples.tsx'
import { DrawLaws } from './draw-laws.tsx'
import { DrawPrinted } from './draw-printed.tsx'
import { DrawProblems } from './draw-problems.tsx'
import { fileName } from './file-name.ts'
import { problemMarks } from './problem-marks.ts'
import '../../styles/draw.css'

const TextEditor = lazy(() => import('../../ui/editor/text-editor.tsx'))

/** What the pane shows. Who owns it keeps the text, and has it checked in a worker. */
export interface DrawPaneProps {
  readonly source: string
  readonly onChange: (source: string) => void
  /** What is known about it, or about an earlier text while it is being checked. */
  readonly result: CheckedPicture | undefined
  readonly isChecking: boolean
  /** Reads one of its examples, beside it. */
  readonly onTry?: (wire: string) => void
  /** Checking took too long. */
  readonly isStopped?: boolean
}

/** Draws a protocol as a text, and shows what is understood of it as it is written. */
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
    <section className="draw-pane" aria-label={t('draw.title')}>
      <DrawBar {...{ source, onChange, result, isChecking }} />
      <div className="draw-body">
        <div className="draw-editor">
          <Suspense fallback={<div className="skel m-3" aria-label={t('draw.loading')} />}>
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
        <div className="draw-found">
          <DrawProblems result={result} onGoTo={goTo} />
          {onTry && <DrawExamples result={result} onTry={onTry} />}
          <DrawLaws {...{ result, isStopped, isChecking }} />
          <DrawPrinted result={result} />
          <p className="draw-help">
            {t('draw.notRun')}{' '}
            {t('draw.file.help', { command: `toolglot protocols --check ./${fileName(result)}` })}
          </p>
        </div>
      </div>
    </section>
  )
}
