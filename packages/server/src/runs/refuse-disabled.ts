import type { OpenTools } from '@toolglot/workspace'
import { HttpError } from '../security/http-error.ts'

/** Throws an HttpError if settings turn off the tool with this name or alias. */
export function refuseDisabled(name: string, opened: Pick<OpenTools, 'whyDisabled'>): void {
  const disabled = opened.whyDisabled(name)
  if (!disabled) return
  const message = `${disabled.reason}.`
  throw new HttpError('tool_disabled', message, {
    // What a client of the tool service reads.
    members: { success: false, result: message, exit_code: null },
    action: 'Turn it on there. GET /api/tools lists the tools, and what turns each off.',
  })
}
