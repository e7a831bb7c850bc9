import type { Printing } from '../hole.ts'
import type { Role } from '../json/envelope.ts'
import { spaced } from './spaced.ts'

/** An object with the parts of a call under these paths; of several paths, the first. A call without an id gets its number. */
export function printEnvelope(
  { call, index = 0 }: Printing,
  roles: readonly (readonly [Role, string | readonly string[]])[],
  numbered: number | undefined,
): string {
  const object: Record<string, unknown> = {}
  const whole = numbered === undefined ? call : { id: String(index + numbered), ...call }
  for (const [role, paths] of roles) {
    if (whole[role] !== undefined) put(object, [paths].flat()[0]!, whole[role])
  }
  return spaced(object)
}

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const dot = path.indexOf('.')
  if (dot < 0) target[path] = value
  else
    put((target[path.slice(0, dot)] ??= {}) as Record<string, unknown>, path.slice(dot + 1), value)
}
