import { useMemo, type ReactNode } from 'react'
import type { Settings } from '../settings/place-text.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'
import { kitName } from './use-toggles.ts'
import { Chip } from '../ui/chip.tsx'

/** The class of a verdict in the stylesheet. */
export const VERDICT_CLASSES: Readonly<Record<ToolVerdict, 'no' | 'ask' | 'ok'>> = {
  denied: 'no',
  dangerous: 'no',
  asks: 'ask',
  allowed: 'ok',
  'read-only': 'ok',
}

/** A tool, and the settings once they are loaded. */
export interface ToolProps {
  readonly tool: ListedTool
  readonly settings: Settings | undefined
}

/** The verdict on calls of a tool. */
export function ToolVerdictChip({ tool, settings }: ToolProps): ReactNode {
  const { t } = useWords()
  const verdict = useMemo(
    () => verdictOf(tool, settings ? rulesAbout(settings, tool) : []),
    [tool, settings],
  )
  return (
    <Chip tone={VERDICT_CLASSES[verdict]} title={t(`tools.verdict.${verdict}.title`)}>
      {t(`tools.verdict.${verdict}`)}
    </Chip>
  )
}

/** The verdict on calls of a tool, as far as it does not depend on their arguments. */
type ToolVerdict = 'denied' | 'dangerous' | 'asks' | 'allowed' | 'read-only'

/** A rule that mentions a tool, and its location. */
type ToolRule = Settings['values'][number] & { readonly verdict: 'allow' | 'ask' | 'deny' }

/** The rules that apply to a tool. */
export function rulesAbout(
  { values }: Pick<Settings, 'values'>,
  tool: ListedTool,
): readonly ToolRule[] {
  const names = [tool.name, ...tool.aliases]
  const kit = kitName(tool)
  const whole = kit === undefined ? names : [...names, kit, `${kit}__*`]
  return values.flatMap((each) => {
    const [, verdict] = /^permissions\.(allow|ask|deny)$/.exec(each.key) ?? []
    const { value } = each
    if (verdict === undefined || typeof value !== 'string') return []
    const isAbout = whole.includes(value) || names.some((name) => value.startsWith(`${name}(`))
    return isAbout ? [{ ...each, verdict: verdict as ToolRule['verdict'] }] : []
  })
}

/** The verdict on all calls of a tool. */
export function verdictOf(tool: ListedTool, rules: readonly ToolRule[]): ToolVerdict {
  const has = (verdict: ToolRule['verdict']): boolean =>
    rules.some(
      (rule) => rule.verdict === verdict && rule.counts && !String(rule.value).includes('('),
    )
  if (has('deny')) return 'denied'
  if (tool.dangerous) return 'dangerous'
  if (has('ask')) return 'asks'
  if (has('allow')) return 'allowed'
  if (tool.asks) return 'asks'
  return tool.readOnly ? 'read-only' : 'allowed'
}
