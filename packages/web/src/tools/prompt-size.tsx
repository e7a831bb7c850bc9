import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { usePrompt } from './use-prompt.ts'

/** How much the tools that are on add to every prompt. */
export function PromptSize({
  protocol,
  version,
}: {
  readonly protocol: string
  readonly version: number
}): ReactNode {
  const { t, number } = useWords()
  const { data } = usePrompt({ protocol, version })
  if (!data) return null
  const tokens = number(data.tokens, { notation: 'compact', maximumSignificantDigits: 2 })
  return (
    <span className="chip line num wide-only" title={t('tools.tokens.title', { protocol })}>
      {t('tools.tokens', { tokens })}
    </span>
  )
}
