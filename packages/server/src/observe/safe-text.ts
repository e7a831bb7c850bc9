import { redactAll } from '@toolglot/agent/internal'
import { visibleLine } from '@toolglot/workspace/internal'

/** Foreign text for a log: on one line, not longer than this, and without what looks like a secret. */
export function safeText(text: string, maxLength = 100): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  return visibleLine(redactAll(cut))
}
