import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useWaitingCount } from '../approvals/waiting-count.ts'
import { useWords } from '../words/words.ts'
import { VIEWS } from './views.ts'

/** Shows in the tab of the browser how much waits for a person, and the view. A chat shows its own title. */
export function useViewTitle(): void {
  const { t } = useWords()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const count = useWaitingCount()
  const view = VIEWS.find(({ paths }) => paths.test(path))
  const title = view ? `${t(view.label)} · Toolglot` : 'Toolglot'
  const isChat = view?.to === '/chat'
  useEffect(() => {
    if (!isChat) document.title = count === 0 ? title : `(${count}) ${title}`
  }, [count, isChat, title])
}
