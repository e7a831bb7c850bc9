import { useNavigate } from '@tanstack/react-router'
import type { RunView } from '@toolglot/react/view'
import { useEffect, useEffectEvent } from 'react'
import { useFolder } from '../folders/use-folder.ts'
import { useToast } from '../ui/toasts.tsx'
import { useWords } from '../words/words.ts'
import { LIMIT_REASONS, type RunStatus } from './run-status-of.ts'
import { statusWords } from './status-words.ts'

/** How long it stays, in milliseconds. The line above the composer stays longer. */
const DURATION = 30_000

/** Says once that a run has reached a limit, if that happened while the page was open. */
export function useLimitToast(
  view: RunView | undefined,
  status: RunStatus | undefined,
  onContinue: () => void,
): void {
  const words = useWords()
  const show = useToast()
  const navigate = useNavigate()
  const { search } = useFolder()
  const isLimit = status !== undefined && LIMIT_REASONS.has(status.reason)
  const last = view?.items.findLast((item) => item.type === 'turn')
  const isNew = last?.type === 'turn' && last.started >= performance.timeOrigin
  const id = isLimit && isNew ? `${view?.run} ${view?.end?.id}` : undefined
  const tell = useEffectEvent((): (() => void) | undefined => {
    if (!status) return undefined
    const { title, text, resume } = statusWords(status, words)
    return show({
      title,
      text,
      kind: 'ask',
      duration: DURATION,
      actions: [
        // Somebody should look first: the line says at what.
        ...(status.unknownOutcomes.length > 0 ? [] : [{ label: resume, run: onContinue }]),
        {
          label: words.t('compose.status.limits'),
          run: () =>
            void navigate({ to: '/settings/{-$page}', params: { page: 'limits' }, search }),
        },
      ],
    })
  })
  // It goes away with what it is about.
  useEffect(() => (id === undefined ? undefined : tell()), [id])
}
