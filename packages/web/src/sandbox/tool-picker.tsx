import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Picker } from '../ui/picker.tsx'
import { spellUnseen } from '../ui/unseen.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from '../tools/listed-tool.ts'

/** The maximum length of a description in the list. */
const MAX_ABOUT = 90
const MAX_LISTED = 300

/** Selects the tool: one of the folder's, or any name. */
export function ToolPicker({
  tools,
  tool,
  open,
  onOpenChange,
  onPick,
}: {
  readonly tools: readonly ListedTool[]
  readonly tool: string | undefined
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onPick: (tool: string) => void
}): ReactNode {
  const { t } = useWords()
  const options = useMemo(
    () =>
      tools.slice(0, MAX_LISTED).map(({ name, description, from, server, aliases, enabled }) => ({
        value: name,
        label: (
          <span className="font-mono">
            <VisibleText text={name} />
          </span>
        ),
        about: (
          <VisibleText
            text={`${!enabled ? `${t('sandbox.tool.off.short')} · ` : ''}${firstLine(description)}`}
          />
        ),
        keywords: [...aliases, description.slice(0, 300)],
        group:
          server === undefined
            ? t(from === 'own' ? 'sandbox.tools.own' : 'sandbox.tools.builtIn')
            : `MCP · ${spellUnseen(server)}`,
      })),
    [tools, t],
  )
  return (
    <Picker
      label={t('sandbox.tool.find')}
      value={tool}
      options={options}
      {...{ open, onOpenChange }}
      onChange={onPick}
      onOther={onPick}
      otherLabel={(typed) => t('sandbox.tool.other', { name: typed })}
      trigger={
        <button
          type="button"
          className="picker-button max-w-60 min-w-0 flex-[1_1_200px] text-left phone:max-w-none"
          aria-label={
            tool === undefined
              ? t('sandbox.tool.choose')
              : t('sandbox.tool.chosen', { name: spellUnseen(tool) })
          }
        >
          <Icon name="tools" />
          <span className={`min-w-0 flex-1 truncate ${tool === undefined ? '' : 'font-mono'}`}>
            {tool === undefined ? t('sandbox.tool.choose') : <VisibleText text={tool} />}
          </span>
          <Icon name="updown" />
        </button>
      }
    />
  )
}

function firstLine(text: string): string {
  const [line = ''] = text.slice(0, MAX_ABOUT * 2).split('\n')
  return line.length > MAX_ABOUT ? `${line.slice(0, MAX_ABOUT)}…` : line
}
