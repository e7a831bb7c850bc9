import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'
import { Link } from '@tanstack/react-router'
import { useFolder } from '../folders/use-folder.ts'
import { VerdictChip } from '../settings/permissions/verdict-chip.tsx'
import { PlaceText, type Settings } from '../settings/place-text.tsx'
import { VERDICT_CLASSES as BOXES, rulesAbout, verdictOf } from './tool-verdict-chip.tsx'
import { Chip } from '../ui/chip.tsx'
import { Dot } from '../ui/dot.tsx'

/** The properties of a tool as short labels, and its other names. */
export function ToolFacts({ tool }: { readonly tool: ListedTool }): ReactNode {
  const { t } = useWords()
  const { readOnly, asks, idempotent, waits, timeout, level, aliases, server, toolkit } = tool
  return (
    <>
      <div className="cluster">
        {readOnly && asks && <Chip outline>{t('tools.fact.readOnly')}</Chip>}
        {idempotent && (
          <Chip outline title={t('tools.fact.idempotent.title')}>
            {t('tools.fact.idempotent')}
          </Chip>
        )}
        {waits && <Chip outline>{t('tools.fact.waits')}</Chip>}
        {timeout !== undefined && timeout > 0 && (
          <Chip outline className="tabular-nums">
            {t('tools.fact.timeout', { seconds: timeout / 1000 })}
          </Chip>
        )}
        {level !== undefined && (
          <Chip outline className="tabular-nums" title={t('tools.fact.level.title')}>
            {t('tools.fact.level', { level })}
          </Chip>
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
    <div className="cluster">
      <span className="label">{label}</span>
      {names.slice(0, 20).map((name) => (
        <Chip mono key={name}>
          <VisibleText text={name} />
        </Chip>
      ))}
    </div>
  )
}

const MAX_RULES = 20

/** The verdict on calls of a tool, and the rules that mention it. */
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
    <div className="grid min-w-0 gap-[7px]">
      <div className={`verdict verdict-${BOXES[verdict]}`}>
        <Dot tone={BOXES[verdict]} />
        <span className="min-w-0 flex-1">{t(`tools.verdict.${verdict}.title`)}</span>
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
        <div className="cluster" key={`${rule.verdict} ${String(rule.value)} ${rule.file}`}>
          <VerdictChip verdict={rule.verdict} />
          <code className="font-mono break-all">
            <VisibleText text={String(rule.value).slice(0, 300)} />
          </code>
          <span className="text-ink-3">
            <PlaceText place={rule} settings={settings} />
          </span>
        </div>
      ))}
    </div>
  )
}
