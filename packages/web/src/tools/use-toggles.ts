import { useRef, useState } from 'react'
import { errorText } from '../app/error-text.ts'
import { ownValue, type Settings } from '../settings/place.ts'
import { useChangeSettings } from '../settings/use-settings.ts'
import { useToast } from '../ui/toasts.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'
import { type OwnToggles, withKit, withTool } from './own-toggles.ts'

/** What a tool should become, while the settings are being written. */
export interface PendingToggle {
  readonly isOn: boolean
}

/** The last change of each tool. */
type PendingToggles = ReadonlyMap<string, PendingToggle>

/** Turns tools on and off in the person's own settings. */
export interface Toggles {
  /** Whether a tool is on, or will be in a moment. */
  readonly isOn: (tool: ListedTool) => boolean
  readonly toggle: (tool: ListedTool, isOn: boolean) => void
  readonly toggleKit: (kit: string, tools: readonly ListedTool[], isOn: boolean) => void
}

/** Turns tools on and off. A switch moves at once, and back if the settings could not be written. */
export function useToggles(): Toggles {
  const { t } = useWords()
  const toast = useToast()
  const change = useChangeSettings()
  const [wanted, setWanted] = useState<PendingToggles>(new Map())
  // Each change reads the settings first: two at once would lose one.
  const last = useRef<Promise<unknown>>(Promise.resolve())

  const apply = (
    tools: readonly ListedTool[],
    isOn: boolean,
    next: (own: OwnToggles) => OwnToggles['toolToggles'],
  ): void => {
    const toggle: PendingToggle = { isOn }
    setWanted((now) => new Map([...now, ...tools.map(({ name }) => [name, toggle] as const)]))
    const done = last.current.then(async () => {
      try {
        await change.mutateAsync({
          key: 'toolToggles',
          value(now) {
            const toggles = next(ownToggles(now))
            return Object.keys(toggles).length === 0 ? null : toggles
          },
        })
      } catch (error) {
        toast({ title: t('tools.notSaved'), text: errorText(error), kind: 'no' })
      } finally {
        setWanted((now) => withoutToggle(now, toggle))
      }
    })
    last.current = done
  }
  return {
    isOn: ({ name, enabled }) => wanted.get(name)?.isOn ?? enabled,
    toggle: (tool, isOn) => apply([tool], isOn, (own) => withTool(own, tool, isOn)),
    toggleKit: (kit, tools, isOn) => apply(tools, isOn, (own) => withKit(own, kit, tools, isOn)),
  }
}

/** What the person's own settings say. */
function ownToggles(settings: Settings): OwnToggles {
  return {
    toolToggles: (ownValue(settings, 'toolToggles') ?? {}) as OwnToggles['toolToggles'],
    defaultToolEnabled: ownValue(settings, 'defaultToolEnabled') !== false,
  }
}

/** The pending toggles without one that was written or failed. A later one of the same tool stays. */
export function withoutToggle(pending: PendingToggles, toggle: PendingToggle): PendingToggles {
  return new Map([...pending].filter(([, each]) => each !== toggle))
}
