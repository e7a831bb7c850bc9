import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useRef } from 'react'
import { useCommands } from '../app/commands.ts'
import { useFolder } from '../folders/use-folder.ts'
import type { Settings } from '../settings/place-text.tsx'
import type { ToolOrder } from './find-tools.ts'
import type { ListedTool } from './listed-tool.ts'
import { isTurnable } from './tool-card.tsx'
import type { ToolListHandle } from './tool-list.tsx'
import { toolkitsOf } from './toolkits.ts'
import type { Toggles } from './use-toggles.ts'

/** The commands and keys of the tools view: move, try, enable and disable, close. */
export function useToolCommands({
  found,
  order,
  selected,
  select,
  toggles,
  settings,
  search,
  setSearch,
}: {
  readonly found: readonly ListedTool[]
  readonly order: ToolOrder
  readonly selected: ListedTool | undefined
  readonly select: (name: string | undefined, options?: { readonly replace?: boolean }) => void
  readonly toggles: Toggles
  readonly settings: Settings | undefined
  readonly search: string
  readonly setSearch: (search: string) => void
}): {
  readonly list: RefObject<ToolListHandle | null>
  readonly detail: RefObject<HTMLDivElement | null>
  readonly tryTool: (name: string) => void
} {
  const list = useRef<ToolListHandle>(null)
  const detail = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const { search: inFolder } = useFolder()
  const tryTool = (name: string): void =>
    void navigate({ to: '/sandbox', search: { ...inFolder, tool: name } })
  const move = (by: 1 | -1): void => {
    // In display order.
    const shown =
      order === 'toolkit' ? toolkitsOf(found, found).flatMap(({ tools }) => tools) : found
    const at = shown.findIndex(({ name }) => name === selected?.name)
    const next = shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : at + by]
    if (!next) return
    select(next.name, { replace: selected !== undefined })
    list.current?.focus(next.name)
  }
  useCommands([
    {
      id: 'tools.next',
      label: 'tools.next',
      group: 'here',
      keys: 'j',
      repeats: true,
      run: () => move(1),
    },
    {
      id: 'tools.previous',
      label: 'tools.previous',
      group: 'here',
      keys: 'k',
      repeats: true,
      run: () => move(-1),
    },
    ...(selected
      ? ([
          {
            id: 'tools.try',
            label: 'tools.try',
            group: 'here',
            icon: 'sandbox',
            keys: 'Enter',
            run: () => tryTool(selected.name),
          },
        ] as const)
      : []),
    // Without a key: the space bar scrolls, and settings must not change by accident.
    ...(selected && isTurnable(selected, settings)
      ? ([
          {
            id: 'tools.toggle',
            label: 'tools.toggle',
            group: 'here',
            run: () => toggles.toggle(selected, !toggles.isOn(selected)),
          },
        ] as const)
      : []),
    ...(selected || search !== ''
      ? ([
          {
            id: 'tools.close',
            label: 'tools.close',
            group: 'here',
            keys: 'Escape',
            run() {
              if (search !== '' && document.activeElement instanceof HTMLInputElement) setSearch('')
              else if (selected) {
                select(undefined)
                list.current?.focus(selected.name)
              } else setSearch('')
            },
          },
        ] as const)
      : []),
  ])
  return { list, detail, tryTool }
}
