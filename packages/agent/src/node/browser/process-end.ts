import { ChildProcess } from 'node:child_process'
import type { BrowserContext } from './playwright.ts'

/**
 * Lets the process end although a browser is open: otherwise a command that is done would wait for it. Playwright does not give
 * access to the browser's process, so it is found among what Node waits for.
 */
export function letProcessEnd(profile: string): void {
  const { _getActiveHandles } = process as { readonly _getActiveHandles?: () => unknown[] }
  for (const handle of _getActiveHandles?.call(process) ?? []) {
    if (!(handle instanceof ChildProcess)) continue
    if (!handle.spawnargs.some((word) => word === `--user-data-dir=${profile}`)) continue
    handle.unref()
    for (const stream of handle.stdio) (stream as { unref?: () => void } | null)?.unref?.()
  }
}

/** Keeps the process alive while a browser is used: neither it nor what it says does. Returns how to end that. */
export function holdProcess(): () => void {
  const timer = setInterval(() => {}, 60_000)
  return () => clearInterval(timer)
}

/** Closes a browser in order when the process has nothing else to do, so that the profile is complete. */
export function closeAtEnd(context: BrowserContext): void {
  open.add(context)
  context.on('close', () => open.delete(context))
  if (isWatching) return
  isWatching = true
  process.on('beforeExit', closeAll)
}

const open = new Set<BrowserContext>()
let isWatching = false

function closeAll(): void {
  if (open.size === 0) return
  // Nothing else keeps the process alive until the browsers are closed.
  const timer = setTimeout(() => {}, CLOSE_TIMEOUT)
  const closing = [...open].map((context) => context.close())
  open.clear()
  void Promise.allSettled(closing).then(() => clearTimeout(timer))
}

const CLOSE_TIMEOUT = 5000
