import type { RunView } from '@toolglot/react/view'
import { useEffect, useMemo } from 'react'
import { runTitle } from '../app/run-title.ts'
import { useWaitingCount } from '../approvals/waiting-count.ts'
import { useWords } from '../words/words.ts'
import { ownText } from './rows/own-text.ts'

/** The title of a conversation: its name, or the start of its first message. The tab of the browser shows it, too. */
export function useTitle(view: RunView | undefined, name: string | undefined): string {
  const { t } = useWords()
  const count = useWaitingCount()
  const prompt = view?.items.find((item) => item.type === 'prompt')?.text
  const title = useMemo(() => {
    if (!view) return t('chat.title')
    return runTitle({ name, prompt: prompt === undefined ? '' : ownText(prompt).words }, t)
    // Whether there is a run counts, not what happens in it.
  }, [view !== undefined, name, prompt, t])
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title} · Toolglot`
  }, [title, count])
  return title
}
