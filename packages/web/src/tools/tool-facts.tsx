import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'
import { Link } from '@tanstack/react-router'
import { useFolder } from '../folders/use-folder.ts'
import { VerdictChip } from '../settings/permissions/verdict-chip.tsx'
import { PlaceText, type Settings } from '../settings/place-text.tsx'
import { VERDICT_CLASSES as BOXES, rulesAbout, verdictOf } from './tool-verdict-chip.tsx'

/** The facts about a tool, in a word each, and its other names. */
export function ToolFacts({ tool }: { readonly tool: ListedTool }): ReactNode {
  const { t } = useWords()
  const { readOnly, asks, idempotent, waits, timeout, level, aliases, server, toolkit } = tool
  return (
    <>
      <div className="rowline">
        {readOnly && asks && <span className="chip line">{t('tools.fact.readOnly')}</span>}
        {idempotent && (
          <span className="chip line" title={t('tools.fact.idempotent.title')}>
            {t('tools.fact.idempotent')}
          </span>
        )}
        {waits && <span className="chip line">{t('tools.fact.waits')}</span>}
        {timeout !== undefined && timeout > 0 && (
          <span className="chip line num">
            {t('tools.fact.timeout', { seconds: timeout / 1000 })}
          </span>
        )}
        {level !== undefined && (
          <span className="chip line num" title={t('tools.fact.level.title')}>
            {t('tools.fact.level', { level })}
          </span>
        )}
      </div>
      <Names label={t('tools.aliases')} names={aliases} />
      <Names label={t('tools.server')} names={server === undefined ? [] : [server]} />
      <Names label={t('tools.kit.toolkit')} names={toolkit === undefined ? [] : [toolkit]} />
    </>
  )
}

function Names({
  label,
  names,
}: {
  readonly label: string
  readonly names: readonly string[]
}): ReactNode {
  if (names.length === 0) return null
  return (
    <div className="rowline">
      <span className="label">{label}</span>
      {names.slice(0, 20).map((name) => (
        <span className="chip mono" key={name}>
          <VisibleText text={name} />
        </span>
      ))}
    </div>
  )
}

const MAX_RULES = 20

/** The verdict on calls of a tool, and the rules that name it. */
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
