import type { Tool } from './tool.ts'

/** Whether running it twice is running it once. */
export function mayRepeat({ access, idempotent }: Pick<Tool, 'access' | 'idempotent'>): boolean {
  return access.readOnly === true || idempotent === true
}
