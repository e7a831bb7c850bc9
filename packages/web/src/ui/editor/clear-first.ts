import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Removes what is selected before something is typed over it. Otherwise Chromium copies the colours of what was there into a
 * style attribute, which the policy of the page forbids and reports.
 */
export const clearFirst: Extension = EditorView.domEventHandlers({
  keydown(event, view) {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event
    if (!/^.$/u.test(key) || ctrlKey || metaKey || altKey || isComposing) return false
    const { state } = view
    if (state.readOnly || state.selection.ranges.every(({ empty }) => empty)) return false
    view.dispatch(state.replaceSelection(''), { userEvent: 'input.type' })
    // The browser does the rest.
    return false
  },
})
