import type { Tool } from './tool.ts'

/** Whether running a tool twice has the same effect as running it once. */
export function mayRepeat({ access, idempotent }: Pick<Tool, 'access' | 'idempotent'>): boolean {
  return access.readOnly === true || idempotent === true
}

/** Whether a tool may change something. */
export function mayChange({ access }: Pick<Tool, 'access'>): boolean {
  return !access.readOnly && !access.harmless
}
