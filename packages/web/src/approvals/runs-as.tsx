import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { unseenInExpanded } from './expanded-text.ts'
import { LongShellText } from './shell-box.tsx'

/** The text that runs instead of a command, with names of files in place of patterns: the files are what somebody decides on. */
export function RunsAs({
  text,
  command,
}: {
  readonly text: string
  readonly command: string | undefined
}): ReactNode {
  const { t } = useWords()
  const label = t('approvals.runsAs')
  return (
    <div className="runsas">
      <p className="label">{label}</p>
      <LongShellText text={text} label={label} unseen={unseenInExpanded(text, command)} />
    </div>
  )
}
