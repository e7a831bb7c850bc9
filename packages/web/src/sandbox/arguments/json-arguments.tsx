import { json } from '@codemirror/lang-json'
import { indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Extension, Prec } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import TextEditor from '../../ui/editor/text-editor.tsx'
import { useWords } from '../../words/words.ts'
import type { Draft } from './drafts.ts'
import './json-editor.css'

/**
 * Fixed classes, so that no style is created at run time. None has a background: when the user
 * replaces such a token, Chromium copies its background into a style attribute, which the page's
 * content security policy forbids.
 */
const COLOURS: Readonly<Record<string, string>> = {
  propertyName: 'json-key',
  string: 'json-text',
  number: 'json-number',
  bool: 'json-word',
  null: 'json-word',
}

/** A JSON editor for the arguments. */
export default function JsonArguments({
  draft: { text, problem },
  onChange,
  onRun,
}: {
  readonly draft: Draft
  readonly onChange: (text: string) => void
  readonly onRun: () => void
}): ReactNode {
  const { t } = useWords()
  const run = useRef(onRun)
  useEffect(() => {
    run.current = onRun
  })
  const [extensions] = useState((): readonly Extension[] => [
    json(),
    syntaxHighlighting({
      style: (tags) =>
        tags.map((tag) => COLOURS[String(tag)]).find((each) => each !== undefined) ?? null,
    }),
    indentOnInput(),
    // In other editors, the key inserts a line.
    Prec.highest(
      keymap.of([
        {
          key: 'Mod-Enter',
          run: () => {
            run.current()
            return true
          },
        },
      ]),
    ),
  ])
  const marks = useMemo(() => {
    if (!problem) return []
    // At the end of the text there is no character to mark.
    const from = Math.min(problem.offset, Math.max(0, text.length - 1))
    return [{ from, to: from + 1, className: 'json-wrong' }]
  }, [problem, text])
  return (
    <div className="json-editor overflow-hidden rounded-md border border-line-2 bg-panel">
      <TextEditor
        value={text}
        onChange={onChange}
        label={t('sandbox.json')}
        marks={marks}
        extensions={extensions}
      />
    </div>
  )
}
