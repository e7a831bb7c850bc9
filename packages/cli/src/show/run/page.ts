import type { Screen } from '../../terminal.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import { createTextSanitizer } from './text-sanitizer.ts'
import { tailOf } from './tail.ts'

export type Kind = 'text' | 'thought' | 'call' | 'todo' | 'note' | 'prompt'

/** What is written one below the other, with an empty line between what is not of a kind. */
export interface Page {
  /** Whole lines. */
  block(kind: Kind, lines: readonly string[]): void
  /** More of what the model says. */
  say(delta: string): void
  think(delta: string): void
  /** What is going on, until something is written. */
  wait(text: string): void
  /** Ends the line, so that others can write. */
  finish(): void
  /** The same, and what comes next is the first thing. */
  close(): void
}

export function createPage({
  text,
  notes,
  dim,
}: {
  readonly text: Screen | undefined
  readonly notes: Screen
  readonly dim: (text: string) => string
}): Page {
  const tail = tailOf(notes, dim)
  const speech = createTextSanitizer()
  let last: Kind | undefined
  let isOpen = false
  /** White space that counts only if something follows. */
  let space = ''

  function finish(): void {
    tail.hide()
    if (isOpen) (last === 'text' && text ? text : notes).write('\n')
    isOpen = false
    space = ''
  }

  function begin(kind: Kind, screen: Screen): void {
    if (last === kind && isOpen) return tail.hide()
    finish()
    if (last !== undefined && (last !== kind || kind === 'text')) screen.write('\n')
    last = kind
  }

  function flow(kind: Kind, screen: Screen, delta: string, paint: (text: string) => string): void {
    if (last !== kind || !isOpen) space = ''
    const shown = space + delta
    const end = shown.trimEnd()
    if (end === '') {
      space = isOpen && last === kind ? shown : ''
      return
    }
    const isNew = last !== kind || !isOpen
    begin(kind, screen)
    isOpen = true
    space = shown.slice(end.length)
    // Colours end with the line.
    screen.write(
      (isNew ? end.trimStart() : end)
        .split('\n')
        .map((line) => (line === '' ? '' : paint(line)))
        .join('\n'),
    )
  }

  return {
    finish,
    close() {
      finish()
      last = undefined
    },
    block(kind, lines) {
      if (lines.length === 0) return
      begin(kind, notes)
      notes.write(lines.map((line) => `${line}\n`).join(''))
    },
    say: (delta) => flow('text', text ?? notes, speech.next(delta), (line) => line),
    think: (delta) => flow('thought', notes, speech.next(delta), dim),
    wait: (what) => {
      finish()
      tail.show(visibleLine(what))
    },
  }
}
