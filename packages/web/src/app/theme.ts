import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from './stored.ts'

/** Light, dark, or the system's setting. */
export type Theme = 'light' | 'dark' | 'system'

// theme-first.js reads the same key before the first paint.
const STORED = 'toolglot-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

/** The theme that the user chose. */
function theme(): Theme {
  const stored = readStored(STORED)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** True if the page is dark now. */
export function isDark(): boolean {
  return theme() === 'dark' || (theme() === 'system' && dark.matches)
}

/** Sets the theme. */
export function setTheme(next: Theme): void {
  writeStored(STORED, next === 'system' ? undefined : next)
  apply()
}

/** True if the page is dark; re-renders the component on every change. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark)
}

/** The theme that the user chose; re-renders the component on every change. */
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
// Another tab changed the theme.
addEventListener('storage', ({ key }) => {
  if (key === STORED) apply()
})
apply()
