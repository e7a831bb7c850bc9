import { ToolError } from '@toolglot/agent'

/** What is said when a path led elsewhere a moment ago. */
export function swapped(path: string): ToolError {
  return new ToolError(
    'permission_denied',
    `${path} was replaced by something else while it was opened. Nothing was read or written; look at it again.`,
    { code: 'swapped', path },
  )
}
