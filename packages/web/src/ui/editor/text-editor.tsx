import { Annotation, EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { baseExtensions, changeLabels } from './base-extensions.ts'
import { drawMarks, type Mark, markField } from './marks.ts'
import './text-editor.css'

/** Marks a change that the user did not make. */
const fromOutside = Annotation.define<boolean>()
const NOTHING: readonly Mark[] = []
const NO_EXTENSIONS: readonly Extension[] = []

/** A text editor with marks, which draws only the visible part. Read-only without `onChange`. */
export default function TextEditor({
  value,
  onChange,
  label,
  marks = NOTHING,
  placeholder,
  extensions = NO_EXTENSIONS,
  onReady,
}: {
  readonly value: string
  readonly onChange?: (value: string) => void
  readonly label: string
  readonly marks?: readonly Mark[]
  readonly placeholder?: string
  /** Additional extensions. Only those of the first render are used. */
  readonly extensions?: readonly Extension[]
  /** Called once with the editor, for scrolling or selecting. */
  readonly onReady?: (view: EditorView) => void
}): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(null)
  const changed = useRef(onChange)
  /** Reported changes that the parent has not passed back yet: fast typing is ahead of the page. */
  const reported = useRef(new Set<string>())
  useEffect(() => {
    changed.current = onChange
  })
  const isFixed = onChange === undefined
  useEffect(() => {
    const view = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          baseExtensions({ label, placeholder, isFixed }),
          markField,
          EditorView.updateListener.of((update) => {
            if (
              update.transactions.some((each) => each.docChanged && !each.annotation(fromOutside))
            ) {
              const text = update.state.doc.toString()
              reported.current.add(text)
              changed.current?.(text)
            }
          }),
          ...extensions,
        ],
      }),
    })
    editor.current = view
    onReady?.(view)
    return () => {
      editor.current = null
      view.destroy()
    }
    // Its content and labels are updated below.
  }, [isFixed])
  useEffect(() => {
    if (editor.current) changeLabels(editor.current, { label, placeholder })
  }, [label, placeholder])
  useEffect(() => {
    const view = editor.current
    const isBehind = reported.current.has(value)
    const isSame = view?.state.doc.toString() === value
    if (isSame || !isBehind) reported.current.clear()
    if (!view || isSame || isBehind) return
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: value },
      annotations: fromOutside.of(true),
    })
  }, [value])
  useEffect(() => {
    if (editor.current) drawMarks(editor.current, marks)
  }, [marks, value, isFixed])
  return <div className="text-editor" ref={place} />
}
