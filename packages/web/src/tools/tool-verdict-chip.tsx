import { useMemo } from 'react'
import type { ReactNode } from 'react'
import type { Settings } from '../settings/place.ts'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'
import { rulesAbout, type ToolVerdict, verdictOf } from './verdict-of.ts'

/** The class of a verdict in the stylesheet. */
export const VERDICT_CLASSES: Readonly<Record<ToolVerdict, 'no' | 'ask' | 'ok'>> = {
  denied: 'no',
  dangerous: 'no',
  asks: 'ask',
  allowed: 'ok',
  'read-only': 'ok',
}

/** What happens to calls of a tool. */
export function ToolVerdictChip({
  tool,
  settings,
}: {
  readonly tool: ListedTool
  readonly settings: Settings | undefined
}): ReactNode {
  const { t } = useWords()
  const verdict = useMemo(
    () => verdictOf(tool, settings ? rulesAbout(settings, tool) : []),
    [tool, settings],
  )
  return (
    <span
      className={`chip ${VERDICT_CLASSES[verdict]}`}
      title={t(`tools.verdict.${verdict}.title`)}
    >
      {t(`tools.verdict.${verdict}`)}
    </span>
  )
}
