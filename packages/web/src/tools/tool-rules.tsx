import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFolder } from '../folders/use-folder.ts'
import { VerdictChip } from '../settings/permissions/verdict-chip.tsx'
import { PlaceText } from '../settings/place-text.tsx'
import type { Settings } from '../settings/place.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'
import { VERDICT_CLASSES as BOXES } from './tool-verdict-chip.tsx'
import { rulesAbout, verdictOf } from './verdict-of.ts'

const MAX_RULES = 20

/** What happens to calls of a tool, and the rules that name it. */
export function ToolRules({
  tool,
  settings,
}: {
  readonly tool: ListedTool
  readonly settings: Settings
}): ReactNode {
  const { t } = useWords()
  const { search } = useFolder()
  const rules = rulesAbout(settings, tool).filter(({ counts }) => counts)
  const verdict = verdictOf(tool, rules)
  return (
    <div className="tool-rules">
      <div className={`verdict ${BOXES[verdict]}`}>
        <i className={`dot ${BOXES[verdict]}`} />
        <span className="grow">{t(`tools.verdict.${verdict}.title`)}</span>
        <Link
          to="/settings/{-$page}"
          params={{ page: 'permissions' }}
          search={search}
          className="underline underline-offset-2"
        >
          {t('tools.explain')}
        </Link>
      </div>
      {rules.slice(0, MAX_RULES).map((rule) => (
        <div className="rowline" key={`${rule.verdict} ${String(rule.value)} ${rule.file}`}>
          <VerdictChip verdict={rule.verdict} />
          <code className="mono break-all">
            <VisibleText text={String(rule.value).slice(0, 300)} />
          </code>
          <span className="dim-2">
            <PlaceText place={rule} settings={settings} />
          </span>
        </div>
      ))}
    </div>
  )
}
