import { Annotation, EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { baseExtensions, changeLabels } from '../../ui/editor/base-extensions.ts'
import '../../ui/editor/text-editor.css'
import './reply-editor.css'
import { takeTyped, typeText } from '../parser-store.ts'
import { kindGutter, lookMarks } from './look-marks.ts'
import { type Look, setLook } from './look.ts'
import { MAX_TEXT } from '../limits.ts'

/** Marks a change that the user did not make. */
const fromOutside = Annotation.define<boolean>()

const LONG = 50_000

/** The editor's handle for other components. */
export interface EditorPlace {
  /** Scrolls to a position in the text. */
  reveal(from: number): void
}

/** The editable reply, colored by the kinds of its pieces. */
export default function ReplyEditor({
  text,
  loaded,
  look,
  label,
  placeholder,
  onRefuse,
  onHover,
  onPick,
  place,
}: {
  readonly text: string
  /** Counts the texts that were not typed here; the editor takes over each of them. */
  readonly loaded: number
  readonly look: Look | undefined
  readonly label: string
  readonly placeholder: string
  /** Called if a text of this length was rejected. */
  readonly onRefuse: (length: number) => void
  readonly onHover: (piece: number | undefined) => void
  readonly onPick: (piece: number) => void
  readonly place: { current: EditorPlace | null }
}): ReactNode {
  const parent = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(null)
  /**
   * False until the editor has been measured: before, it would draw all of a long line, so it gets
   * a long text afterwards.
   */
  const [isMeasured, setMeasured] = useState(text.length < LONG)
  const handlers = useRef({ onRefuse, onHover, onPick })
  useEffect(() => {
    handlers.current = { onRefuse, onHover, onPick }
  })
  useEffect(() => {
    const view = new EditorView({
      parent: parent.current!,
      state: EditorState.create({
        doc: isMeasured ? text : '',
        extensions: [
          baseExtensions({ label, placeholder }),
          lookMarks,
          kindGutter,
          sizeGuard((length) => handlers.current.onRefuse(length)),
          EditorView.updateListener.of(({ transactions, state }) => {
            if (transactions.some((each) => each.docChanged && !each.annotation(fromOutside)))
              typeText(state.doc)
          }),
          EditorView.domEventHandlers({
            mouseover: ({ target }) => handlers.current.onHover(pieceOf(target)),
            mouseleave: () => handlers.current.onHover(undefined),
            click({ target }) {
              const piece = pieceOf(target)
              if (piece !== undefined) handlers.current.onPick(piece)
            },
          }),
        ],
      }),
    })
    editor.current = view
    // Runs after the editor's first measurement in the same frame.
    const frame = requestAnimationFrame(() => setMeasured(true))
    place.current = {
      reveal: (from) =>
        view.dispatch({
          effects: EditorView.scrollIntoView(Math.min(from, view.state.doc.length), {
            y: 'nearest',
            yMargin: 40,
          }),
        }),
    }
    return () => {
      cancelAnimationFrame(frame)
      editor.current = null
      place.current = null
      view.destroy()
      takeTyped(true)
    }
    // Its content and labels are updated below.
  }, [])
  useEffect(() => {
    if (editor.current) changeLabels(editor.current, { label, placeholder })
  }, [label, placeholder])
  const shown = useRef(isMeasured ? loaded : undefined)
  useEffect(() => {
    const view = editor.current
    if (!view || !isMeasured || shown.current === loaded) return
    shown.current = loaded
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      selection: { anchor: 0 },
      annotations: fromOutside.of(true),
      scrollIntoView: true,
    })
  }, [loaded, text, isMeasured])
  useEffect(() => {
    editor.current?.dispatch({ effects: setLook.of(look) })
  }, [look, isMeasured])
  return <div className="text-editor reply-editor" ref={parent} />
}

function pieceOf(target: EventTarget | null): number | undefined {
  const marked = target instanceof Element ? target.closest('[data-piece]') : null
  return marked instanceof HTMLElement ? Number(marked.dataset['piece']) : undefined
}

/** Rejects changes that would make the text too long, before the editor processes them. */
function sizeGuard(refuse: (length: number) => void): Extension {
  /** The length of the text if `more` replaced the selection. */
  const lengthWith = ({ doc, selection }: EditorState, more: number): number =>
    selection.ranges.reduce((length, { from, to }) => length - (to - from) + more, doc.length)
  return [
    EditorView.domEventHandlers({
      paste(event, { state }) {
        const length = lengthWith(state, event.clipboardData?.getData('text/plain').length ?? 0)
        if (length <= MAX_TEXT) return false
        event.preventDefault()
        refuse(length)
        return true
      },
      drop(event, { state }) {
        const length = state.doc.length + (event.dataTransfer?.getData('text').length ?? 0)
        if (length <= MAX_TEXT) return false
        event.preventDefault()
        refuse(length)
        return true
      },
    }),
    EditorState.changeFilter.of(({ changes }) => {
      if (changes.newLength <= MAX_TEXT || changes.newLength <= changes.length) return true
      refuse(changes.newLength)
      return false
    }),
  ]
}
