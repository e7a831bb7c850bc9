import type { Middleware } from '../registry/registry.ts'

const transparent = new WeakSet<Middleware>()

/** Marks middleware that neither changes nor hides what a tool returns. */
export function markTransparent(middleware: Middleware): Middleware {
  transparent.add(middleware)
  return middleware
}

/** Whether middleware neither changes nor hides what a tool returns. */
export function isTransparent(middleware: Middleware): boolean {
  return transparent.has(middleware)
}
