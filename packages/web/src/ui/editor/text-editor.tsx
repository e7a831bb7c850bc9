import { Annotation, EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { baseExtensions, changeLabels } from './base-extensions.ts'
import { drawMarks, type Mark, markField } from './marks.ts'
import './text-editor.css'

/** A change that did not come from a person. */
const fromOutside = Annotation.define<boolean>()
const NOTHING: readonly Mark[] = []
const NO_EXTENSIONS: readonly Extension[] = []

/** A text with marks, of which only what is in sight is drawn. Without `onChange` it cannot be changed. */
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
  /** More of what an editor can do. Only the first ones count. */
  readonly extensions?: readonly Extension[]
  /** Called once, with the editor: to scroll to a place, or to select a piece. */
  readonly onReady?: (view: EditorView) => void
}): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(null)
  const changed = useRef(onChange)
  /** Reported changes that have not come back yet: somebody who types fast is ahead of the page. */
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
    // Its content and its name are changed below.
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
