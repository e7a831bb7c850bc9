const APPLE: Readonly<Record<string, string>> = { mod: '⌘', shift: '⇧' }
const OTHER: Readonly<Record<string, string>> = { mod: 'Ctrl', shift: '⇧' }
const SIGNS: Readonly<Record<string, string>> = {
  Enter: '⏎',
  Tab: '⇥',
  Escape: 'Esc',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Backspace: '⌫',
}

/** The labels of a command's keys, in order: `mod+k` is ⌘ K, `g c` is G C. */
export function keyTexts(keys: string, isApple: boolean): readonly string[] {
  const modifiers = isApple ? APPLE : OTHER
  return keys
    .split(' ')
    .flatMap((press) => press.split(/\+(?=.)/))
    .map((key) => modifiers[key] ?? SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key))
}
