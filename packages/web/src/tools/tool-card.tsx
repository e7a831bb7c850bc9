import type { ReactNode } from 'react'
import { isOwn, type Settings } from '../settings/place-text.tsx'
import { spellUnseen } from '../ui/unseen.ts'
import { Switch } from '../ui/switch.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'
import { canTurnOn, type Toggles } from './use-toggles.ts'
import { ToolVerdictChip } from './tool-verdict-chip.tsx'

/** The maximum length of a description: two lines are visible. */
const MAX_ABOUT = 240

/** A tool in the list. */
export function ToolCard({
  tool,
  isSelected,
  onSelect,
  onTry,
  toggles,
  calls,
  settings,
}: {
  readonly tool: ListedTool
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly onTry: () => void
  readonly toggles: Toggles
  /** The number of calls; undefined if unknown. */
  readonly calls: number | undefined
  readonly settings: Settings | undefined
}): ReactNode {
  const { t } = useWords()
  const { name, description } = tool
  const isOn = toggles.isOn(tool)
  const isFixed = !isTurnable(tool, settings)
  const label = spellUnseen(name)
  return (
    <article
      className={`relative grid min-w-0 grid-rows-[auto_1fr_auto] gap-1 rounded-lg border px-[11px] py-[9px] transition-[border-color] ${isSelected ? 'border-ink-2 shadow-[0_0_0_1px_var(--ink-2)]' : 'border-line hover:border-line-2'} ${isOn ? 'bg-panel' : 'border-dashed bg-transparent'}`}
    >
      <div
        className={`flex min-w-0 items-center gap-1.5 font-code text-[12.5px] font-600 ${isOn ? '' : 'text-ink-3'}`}
      >
        <button
          type="button"
          className="min-w-0 truncate text-left after:absolute after:inset-0 after:rounded-lg after:content-[''] focus-visible:shadow-none focus-visible:after:shadow-[0_0_0_2px_var(--call)]"
          data-tool={name}
          aria-current={isSelected}
          onClick={onSelect}
          onKeyDown={(event) => {
            // The first Enter opens the tool, the second tries it: the focus stays here.
            if (event.key !== 'Enter' || !isSelected || event.repeat) return
            event.preventDefault()
            onTry()
          }}
        >
          <VisibleText text={name} />
        </button>
        <Switch
          label={t('tools.switch', { name: label })}
          checked={isOn}
          disabled={isFixed}
          className="z-1 ml-auto"
          onChange={(next) => toggles.toggle(tool, next)}
        />
      </div>
      <p
        className={`line-clamp-2 min-h-[3em] text-12 wrap-anywhere ${isOn ? 'text-ink-2' : 'text-ink-3'}`}
      >
        <VisibleText text={description.slice(0, MAX_ABOUT)} />
      </p>
      <div className="mt-0.5 flex items-center gap-[5px] text-11 text-ink-3">
        <ToolVerdictChip tool={tool} settings={settings} />
        {calls !== undefined && (
          <span className="ml-auto tabular-nums">
            {calls === 0 ? t('tools.calls.none') : t('tools.calls', { count: calls })}
          </span>
        )}
      </div>
    </article>
  )
}

/** True if this page can enable and disable a tool. */
export function isTurnable(tool: ListedTool, settings: Settings | undefined): boolean {
  const isOwnFile =
    tool.disabledBy !== undefined && settings !== undefined && isOwn(tool.disabledBy, settings)
  return canTurnOn(tool, isOwnFile)
}
