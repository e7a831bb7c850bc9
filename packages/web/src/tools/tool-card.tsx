import type { ReactNode } from 'react'
import { isOwn, type Settings } from '../settings/place-text.tsx'
import { spellUnseen } from '../ui/unseen.ts'
import { Switch } from '../ui/switch.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'
import { canTurnOn, type Toggles } from './use-toggles.ts'
import { ToolVerdictChip } from './tool-verdict-chip.tsx'

/** How much of a description is drawn: two lines are in sight. */
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
  /** How often it was called; undefined if that is not known. */
  readonly calls: number | undefined
  readonly settings: Settings | undefined
}): ReactNode {
  const { t } = useWords()
  const { name, description } = tool
  const isOn = toggles.isOn(tool)
  const isFixed = !isTurnable(tool, settings)
  const label = spellUnseen(name)
  return (
    <article className={`tcard ${isSelected ? 'on' : ''} ${isOn ? '' : 'off'}`}>
      <div className="n">
        <button
          type="button"
          className="open min-w-0 truncate"
          data-tool={name}
          aria-current={isSelected}
          onClick={onSelect}
          onKeyDown={(event) => {
            // The first time it opens the tool, then it tries it: the focus is still here.
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
          onChange={(next) => toggles.toggle(tool, next)}
        />
      </div>
      <p>
        <VisibleText text={description.slice(0, MAX_ABOUT)} />
      </p>
      <div className="m">
        <ToolVerdictChip tool={tool} settings={settings} />
        {calls !== undefined && (
          <span className="tabular-nums calls">
            {calls === 0 ? t('tools.calls.none') : t('tools.calls', { count: calls })}
          </span>
        )}
      </div>
    </article>
  )
}

/** Whether this page can turn a tool on and off. */
export function isTurnable(tool: ListedTool, settings: Settings | undefined): boolean {
  const isOwnFile =
    tool.disabledBy !== undefined && settings !== undefined && isOwn(tool.disabledBy, settings)
  return canTurnOn(tool, isOwnFile)
}
