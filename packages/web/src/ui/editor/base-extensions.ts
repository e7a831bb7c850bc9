import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, Compartment } from '@codemirror/state'
import {
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder as placeholderText,
} from '@codemirror/view'
import { getNonce } from 'get-nonce'
import { UNSEEN } from '../unseen.ts'

/**
 * Deletes the selection before typing replaces it. Otherwise Chromium copies the colors of the
 * deleted text into a style attribute, which the page's content security policy forbids and
 * reports.
 */
const clearFirst: Extension = EditorView.domEventHandlers({
  keydown(event, view) {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event
    if (!/^.$/u.test(key) || ctrlKey || metaKey || altKey || isComposing) return false
    const { state } = view
    if (state.readOnly || state.selection.ranges.every(({ empty }) => empty)) return false
    view.dispatch(state.replaceSelection(''), { userEvent: 'input.type' })
    // Leaves the rest to the browser.
    return false
  },
})

/** The extensions of every editor of the page: numbered lines that wrap, invisible characters drawn as boxes, search, and undo. */
export function baseExtensions({
  isFixed = false,
  ...labels
}: EditorLabels & { readonly isFixed?: boolean }): Extension {
  return [
    EditorView.cspNonce.of(getNonce() ?? ''),
    // Text is shown unchanged: a carriage return is one character, not a line break.
    EditorState.lineSeparator.of('\n'),
    lineNumbers(),
    highlightSpecialChars({ specialChars: UNSEEN, render: boxOf }),
    EditorView.lineWrapping,
    editorLabels(labels),
    search({ top: true }),
    keymap.of([...searchKeymap, ...(isFixed ? [] : historyKeymap), ...defaultKeymap]),
    isFixed ? EditorState.readOnly.of(true) : [history(), clearFirst],
  ]
}

/** An invisible character, drawn as a box with its name. */
function boxOf(code: number): HTMLElement {
  const box = document.createElement('span')
  box.className = 'unseen-box'
  box.textContent = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return box
}

/** The label and the placeholder of an editor. */
interface EditorLabels {
  readonly label: string
  readonly placeholder?: string | undefined
}

const labels = new Compartment()

/** Labels an editor; `changeLabels` replaces the labels. */
function editorLabels(given: EditorLabels): Extension {
  return labels.of(extensionsOf(given))
}

/** Changes the labels of an editor, such as to another language, and keeps its state. */
export function changeLabels(view: EditorView, given: EditorLabels): void {
  view.dispatch({ effects: labels.reconfigure(extensionsOf(given)) })
}

function extensionsOf({ label, placeholder }: EditorLabels): Extension {
  return [
    // Read-only editors are also focusable by Tab, and axe requires a label.
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    placeholder === undefined ? [] : placeholderText(placeholder),
  ]
}
