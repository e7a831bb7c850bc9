import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from './stored.ts'

/** Light, dark, or what the system says. */
export type Theme = 'light' | 'dark' | 'system'

// The file theme-first.js does the same before anything is drawn.
const STORED = 'toolglot-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

/** The theme that the person chose. */
function theme(): Theme {
  const stored = readStored(STORED)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Whether the page is dark now. */
export function isDark(): boolean {
  return theme() === 'dark' || (theme() === 'system' && dark.matches)
}

/** Chooses a theme. */
export function setTheme(next: Theme): void {
  writeStored(STORED, next === 'system' ? undefined : next)
  apply()
}

/** Whether the page is dark; a component that uses it follows every change. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark)
}

/** The theme that the person chose; a component that uses it follows every change. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, theme)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function apply(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

dark.addEventListener('change', apply)
// Another tab chose.
addEventListener('storage', ({ key }) => {
  if (key === STORED) apply()
})
apply()
