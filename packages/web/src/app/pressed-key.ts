/** What of a key event matters here. */
export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly metaKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** Keys that are not pressed for their own sake, and those that only prepare another character. */
const NOT_YET = ['Shift', 'Control', 'Meta', 'Alt', 'AltGraph', 'CapsLock', 'Dead', 'Process']

/**
 * The name of the key that was pressed, as commands write it: `mod+k`, `g`, `?`, `Escape`, `shift+Tab`; undefined for those that
 * mean nothing by themselves. A character counts as it is written, wherever it is on the keyboard.
 */
export function pressedKey(press: KeyPress, isApple: boolean): string | undefined {
  const { key, metaKey, ctrlKey, altKey, shiftKey } = press
  if (NOT_YET.includes(key) || key === 'Unidentified') return undefined
  const isCharacter = /^.$/u.test(key)
  // On many layouts, signs such as ] and / need AltGr (Ctrl and Alt) or Option. With letters, that is another shortcut.
  const isWritten = altKey && isCharacter && !/[\p{L}\p{N}\s]/u.test(key)
  if (altKey && !isWritten) return undefined
  if (isApple ? metaKey : ctrlKey && !isWritten) {
    return `mod+${shiftKey ? 'shift+' : ''}${letterOf(press)}`
  }
  // Ctrl on a Mac moves in texts; the key with a window or a flame is for the system.
  if (metaKey || (ctrlKey && !isWritten)) return undefined
  if (key === ' ') return 'Space'
  if (isCharacter) return letterOf(press)
  return `${shiftKey ? 'shift+' : ''}${key}`
}

/** The character of a key, or its name, such as Enter; on a keyboard with another alphabet, the Latin letter at its place. */
function letterOf({ key, code }: KeyPress): string {
  if (/^[A-Z]\w+$/.test(key)) return key
  const place = /^Key([A-Z])$/.exec(code)?.[1]
  return (place !== undefined && /^[^\p{ASCII}]$/u.test(key) ? place : key).toLowerCase()
}
