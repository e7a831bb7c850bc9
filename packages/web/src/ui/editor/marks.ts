import { type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'

/** A styled range of a text. */
export interface Mark {
  readonly from: number
  readonly to: number
  readonly className: string
  readonly attributes?: Readonly<Record<string, string>>
}

const setMarks = StateEffect.define<DecorationSet>()

/** Draws the marks set by `drawMarks`. They move with the text until they are replaced. */
export const markField: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return effect.value
    return marks.map(transaction.changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Replaces the marks of an editor. They must be sorted by start; enclosing marks come first. */
export function drawMarks(view: EditorView, marks: readonly Mark[]): void {
  const builder = new RangeSetBuilder<Decoration>()
  const end = view.state.doc.length
  for (const { from, to, className, attributes } of marks) {
    // Skips marks of an outdated text.
    if (to > end || from >= to) continue
    builder.add(from, to, Decoration.mark({ class: className, attributes }))
  }
  view.dispatch({ effects: setMarks.of(builder.finish()) })
}
