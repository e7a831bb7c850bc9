import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { IconName } from '../ui/icon.tsx'
import type { Key } from '../words/words.ts'
import { isApple } from './keys.tsx'
import { pressedKey } from './pressed-key.ts'

/** Something that a person can do, by the palette or by a key. */
export interface Command {
  /** Unique among what can be done now. */
  readonly id: string
  /** Its name: a key of the words, or a text that is already in words, such as the name of a run. */
  readonly label: Key | { readonly text: string }
  /** Where it stands in the palette. */
  readonly group: 'waiting' | 'here' | 'go' | 'runs'
  readonly icon?: IconName
  /**
   * Its key: `mod+k` (⌘ or Ctrl), `g c` (one after the other), `?`, `Escape`, `shift+Tab`, `Space`. A key without `mod` does
   * nothing while somebody types or is in something that floats, except Escape.
   */
  readonly keys?: string
  /** It runs again while its key is held down. */
  readonly repeats?: boolean
  run(): void
}

/** Everything that can be done now. */
const lists: { readonly current: readonly Command[] }[] = []
const listeners = new Set<() => void>()
let all: readonly Command[] = []

/** As it is at this moment; the lists that came last come first. */
function commandsNow(): readonly Command[] {
  return lists.toReversed().flatMap(({ current }) => current)
}

/** Notifies the lists of commands if they look different now. */
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

/** Offers commands while the caller is shown. */
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

/** Everything that can be done now, to be shown. Use `runCommand` to do it. */
export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => all,
  )
}

/** Does what a command does now, if it is still there. */
export function runCommand(id: string): void {
  commandsNow()
    .find((command) => command.id === id)
    ?.run()
}

/** The first key of a chord, and when it was pressed. */
let first: { readonly key: string; readonly time: number } | undefined
const CHORD_TIME = 1200

/** Runs the command of a key. */
export function onKeyDown(event: KeyboardEvent): void {
  // After an input method has ended, some browsers report its last key as an ordinary one, with this code.
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

/** Where keys write something, or choose among what floats. */
const TAKEN = `input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="combobox"],
  [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]`
/** What has its own use for Enter and the space bar. */
const PRESSABLE = `button, a[href], summary, input, [role="button"], [role="option"], [role="radio"], [role="tab"],
  [role="switch"], [role="treeitem"]`

function isFree(pressed: string, target: EventTarget | null): boolean {
  if (pressed.startsWith('mod+') || pressed === 'Escape' || !(target instanceof Element))
    return true
  // A card that asks has its keys wherever it is.
  if (target.closest(`${TAKEN}, [data-call]`)?.matches(TAKEN)) return false
  return (pressed !== 'Enter' && pressed !== 'Space') || !target.closest(PRESSABLE)
}
