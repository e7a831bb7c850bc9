import { unifiedMergeView } from '@codemirror/merge'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import TextEditor from './text-editor.tsx'

/** How a text differs from another, with what is the same folded away. */
export default function TextDiff({
  before,
  after,
  label,
}: {
  readonly before: string
  readonly after: string
  readonly label: string
}): ReactNode {
  const extensions = useMemo(
    () => [
      unifiedMergeView({
        original: before,
        mergeControls: false,
        collapseUnchanged: { margin: 3, minSize: 6 },
        // Beyond this it is enough to know which lines differ.
        diffConfig: { scanLimit: 500, timeout: 1000 },
      }),
    ],
    [before],
  )
  // Another text before it needs another editor.
  return <TextEditor key={before} value={after} label={label} extensions={extensions} />
}
