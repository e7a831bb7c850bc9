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
 * Removes what is selected before something is typed over it. Otherwise Chromium copies the colours of what was there into a
 * style attribute, which the policy of the page forbids and reports.
 */
const clearFirst: Extension = EditorView.domEventHandlers({
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

/** The extensions of every editor of the page: numbered lines that wrap, invisible characters drawn as boxes, search, and undo. */
export function baseExtensions({
  isFixed = false,
  ...labels
}: EditorLabels & { readonly isFixed?: boolean }): Extension {
  return [
    EditorView.cspNonce.of(getNonce() ?? ''),
    // Texts are shown as they are: a carriage return is one character, not a line break.
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

/** A character that nobody would see, as a box with its name. */
function boxOf(code: number): HTMLElement {
  const box = document.createElement('span')
  box.className = 'unseen-box'
  box.textContent = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return box
}

/** The name and the placeholder of an editor. */
interface EditorLabels {
  readonly label: string
  readonly placeholder?: string | undefined
}

const labels = new Compartment()

/** Names an editor; `changeLabels` renames it. */
function editorLabels(given: EditorLabels): Extension {
  return labels.of(extensionsOf(given))
}

/** Names an editor in another language, which keeps everything else. */
export function changeLabels(view: EditorView, given: EditorLabels): void {
  view.dispatch({ effects: labels.reconfigure(extensionsOf(given)) })
}

function extensionsOf({ label, placeholder }: EditorLabels): Extension {
  return [
    // It can be reached by Tab also where nothing can be changed, and axe wants to see that.
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    placeholder === undefined ? [] : placeholderText(placeholder),
  ]
}
