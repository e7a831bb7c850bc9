import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { IconName } from '../ui/icon.tsx'
import type { Key } from '../words/words.ts'
import { isApple } from './keys.tsx'
import { pressedKey } from './pressed-key.ts'

/** An action that the user can take from the palette or with a key. */
export interface Command {
  /** Unique among the commands available now. */
  readonly id: string
  /** Its name: a key of the words, or literal text such as the name of a run. */
  readonly label: Key | { readonly text: string }
  /** The palette group it appears in. */
  readonly group: 'waiting' | 'here' | 'go' | 'runs'
  readonly icon?: IconName
  /**
   * Its key: `mod+k` (⌘ or Ctrl), `g c` (a sequence), `?`, `Escape`, `shift+Tab`, `Space`. Keys
   * without `mod` are ignored while the user types or uses a floating element, except Escape.
   */
  readonly keys?: string
  /** Repeats while its key is held down. */
  readonly repeats?: boolean
  run(): void
}

/** All lists of commands offered now. */
const lists: { readonly current: readonly Command[] }[] = []
const listeners = new Set<() => void>()
let all: readonly Command[] = []

/** The commands available at this moment; the most recently added lists come first. */
function commandsNow(): readonly Command[] {
  return lists.toReversed().flatMap(({ current }) => current)
}

/** Notifies the listeners if the lists of commands look different now. */
function changed(): void {
  const next = commandsNow()
  if (next.length === all.length && next.every((command, at) => looksLike(command, all[at]!))) {
    return
  }
  all = next
  for (const listener of listeners) listener()
}

function looksLike(one: Command, other: Command): boolean {
  return (
    one.id === other.id &&
    one.group === other.group &&
    one.icon === other.icon &&
    one.keys === other.keys &&
    textOf(one) === textOf(other)
  )
}

function textOf({ label }: Command): string {
  return typeof label === 'string' ? label : ` ${label.text}`
}

/** Offers commands while the calling component is mounted. */
export function useCommands(commands: readonly Command[]): void {
  const ref = useRef<readonly Command[]>([])
  useEffect(() => {
    ref.current = commands
    changed()
  })
  useEffect(() => {
    lists.push(ref)
    changed()
    return () => {
      lists.splice(lists.indexOf(ref), 1)
      changed()
    }
  }, [])
}

/** All commands available now, for display. Run them with `runCommand`. */
export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => all,
  )
}

/** Runs the current version of a command, if it is still offered. */
export function runCommand(id: string): void {
  commandsNow()
    .find((command) => command.id === id)
    ?.run()
}

/** The first key of a key sequence, and the time it was pressed. */
let first: { readonly key: string; readonly time: number } | undefined
const CHORD_TIME = 1200

/** Runs the command of a key. */
export function onKeyDown(event: KeyboardEvent): void {
  // After an input method finishes, some browsers report its last key as an ordinary one with this
  // code.
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return
  const pressed = pressedKey(event, isApple)
  if (pressed === undefined) return
  const chord = first && event.timeStamp - first.time < CHORD_TIME ? `${first.key} ${pressed}` : ''
  first = undefined
  if (!isFree(pressed, event.target)) return
  const commands = commandsNow()
  const command =
    commands.find(({ keys }) => keys === chord) ?? commands.find(({ keys }) => keys === pressed)
  if (command) {
    event.preventDefault()
    if (!event.repeat || command.repeats) command.run()
  } else if (commands.some(({ keys }) => keys?.startsWith(`${pressed} `))) {
    first = { key: pressed, time: event.timeStamp }
  }
}

/** Elements that take text input, or floating elements that keys navigate. */
const TAKEN = `input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="combobox"],
  [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]`
/** Elements that use Enter and the space bar themselves. */
const PRESSABLE = `button, a[href], summary, input, [role="button"], [role="option"], [role="radio"], [role="tab"],
  [role="switch"], [role="treeitem"]`

function isFree(pressed: string, target: EventTarget | null): boolean {
  if (pressed.startsWith('mod+') || pressed === 'Escape' || !(target instanceof Element))
    return true
  // An approval card keeps its own keys, even inside such an element.
  if (target.closest(`${TAKEN}, [data-call]`)?.matches(TAKEN)) return false
  return (pressed !== 'Enter' && pressed !== 'Space') || !target.closest(PRESSABLE)
}
