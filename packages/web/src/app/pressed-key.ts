/** The fields of a key event that are used here. */
export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly metaKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** Modifier keys, and dead keys that only prepare another character. */
const NOT_YET = ['Shift', 'Control', 'Meta', 'Alt', 'AltGraph', 'CapsLock', 'Dead', 'Process']

/**
 * The name of the pressed key, in the notation of commands: `mod+k`, `g`, `?`, `Escape`,
 * `shift+Tab`. Undefined for keys with no meaning of their own. A character counts as typed,
 * wherever it is on the keyboard.
 */
export function pressedKey(press: KeyPress, isApple: boolean): string | undefined {
  const { key, metaKey, ctrlKey, altKey, shiftKey } = press
  if (NOT_YET.includes(key) || key === 'Unidentified') return undefined
  const isCharacter = /^.$/u.test(key)
  // On many layouts, symbols such as ] and / need AltGr (Ctrl and Alt) or Option. With letters,
  // such a combination is a different shortcut.
  const isWritten = altKey && isCharacter && !/[\p{L}\p{N}\s]/u.test(key)
  if (altKey && !isWritten) return undefined
  if (isApple ? metaKey : ctrlKey && !isWritten) {
    return `mod+${shiftKey ? 'shift+' : ''}${letterOf(press)}`
  }
  // On a Mac, Ctrl moves the text cursor; the Windows or Super key is reserved for the system.
  if (metaKey || (ctrlKey && !isWritten)) return undefined
  if (key === ' ') return 'Space'
  if (isCharacter) return letterOf(press)
  return `${shiftKey ? 'shift+' : ''}${key}`
}

/**
 * The character of a key, or its name, such as Enter. For keyboards with another alphabet, the
 * Latin letter at the same position.
 */
function letterOf({ key, code }: KeyPress): string {
  if (/^[A-Z]\w+$/.test(key)) return key
  const place = /^Key([A-Z])$/.exec(code)?.[1]
  return (place !== undefined && /^[^\p{ASCII}]$/u.test(key) ? place : key).toLowerCase()
}
