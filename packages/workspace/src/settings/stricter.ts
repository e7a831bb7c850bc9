import type { PermissionMode } from '@toolglot/permissions'

/**
 * Whether a mode allows less than another for every call. `plan` and `dontAsk` cannot be compared: one asks where the
 * other denies, and runs what the other does not.
 */
export function isStricter(mode: PermissionMode, than: PermissionMode): boolean {
  return LOOSER[mode].includes(than)
}

const LOOSER: Readonly<Record<PermissionMode, readonly PermissionMode[]>> = {
  acceptEdits: [],
  default: ['acceptEdits'],
  dontAsk: ['default', 'acceptEdits'],
  plan: ['default', 'acceptEdits'],
}
