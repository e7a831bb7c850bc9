import type { Settings } from '../settings/place.ts'
import type { ListedTool } from './listed-tool.ts'
import { kitName } from './own-toggles.ts'

/** What happens to a call of a tool, as far as that can be said without its arguments. */
export type ToolVerdict = 'denied' | 'dangerous' | 'asks' | 'allowed' | 'read-only'

/** A rule that names a tool, and where it is written. */
export type ToolRule = Settings['values'][number] & { readonly verdict: 'allow' | 'ask' | 'deny' }

/** The rules of settings that are about a tool. */
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

/** What happens to every call of a tool. */
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
