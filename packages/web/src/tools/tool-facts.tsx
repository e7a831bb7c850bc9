import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'

/** What is known about a tool, in a word each, and its other names. */
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
