import { useState } from 'react'
import type { ReactNode } from 'react'
import { errorText } from '../app/error-text.ts'
import { commandOf } from '../approvals/command-of.ts'
import { PartsTable } from '../approvals/parts-table.tsx'
import { RunsAs } from '../approvals/runs-as.tsx'
import { VerdictLine } from '../settings/permissions/explanation.tsx'
import { usePermit, useSettled } from '../settings/permissions/use-permit.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'

/** Whether the call would run, judged while it is written. Nothing runs. */
export function Verdict({
  tool,
  args,
}: {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}): ReactNode {
  const { t } = useWords()
  const settled = useSettled(args, 250)
  const explained = usePermit({ tool, arguments: settled })
  const [active, setActive] = useState<readonly number[]>([])
  if (explained.error)
    return (
      <p className="fault" role="alert">
        <VisibleText text={errorText(explained.error)} />
      </p>
    )
  if (!explained.data)
    return (
      <div className="verdict waiting" role="status">
        <span className="dim">{t('sandbox.verdict.loading')}</span>
      </div>
    )
  const { decision } = explained.data
  const found = commandOf(settled, decision)
  const command = typeof found === 'object' ? found.text : undefined
  return (
    <div className="verdict-box">
      <VerdictLine decision={decision} />
      {decision.parts.length > 1 && (
        <PartsTable parts={decision.parts} whole={command} active={active} onActive={setActive} />
      )}
      <RunsAs decision={decision} />
    </div>
  )
}
