import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { MAX_TEXT } from '../limits.ts'

/** Takes no text that would be too long: before the editor has anything to do with it. */
export function sizeGuard(refuse: (length: number) => void): Extension {
  /** How long the text would be with more in place of the selection. */
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
