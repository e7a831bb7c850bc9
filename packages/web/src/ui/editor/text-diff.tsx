import { unifiedMergeView } from '@codemirror/merge'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import TextEditor from './text-editor.tsx'

/** The differences between two texts, with unchanged parts folded. */
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
        // Beyond these limits, the diff is less precise.
        diffConfig: { scanLimit: 500, timeout: 1000 },
      }),
    ],
    [before],
  )
  // A new original needs a new editor.
  return <TextEditor key={before} value={after} label={label} extensions={extensions} />
}
