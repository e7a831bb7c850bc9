import { Compartment, type Extension } from '@codemirror/state'
import { EditorView, placeholder as placeholderText } from '@codemirror/view'

/** What an editor is called, and what it says while it is empty. */
export interface EditorLabels {
  readonly label: string
  readonly placeholder?: string | undefined
}

const labels = new Compartment()

/** Names an editor; `changeLabels` renames it. */
export function editorLabels(given: EditorLabels): Extension {
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
