import type { Item, RunView, TurnItem } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { useWords } from '../../words/words.ts'
import { ContextSection } from './context-section.tsx'
import { FilesSection } from './files-section.tsx'
import { ReplySection } from './reply-section.tsx'
import { TodosSection } from './todos-section.tsx'

/** Beside the conversation: context, todos, changed files, and what the model wrote. Over it, where there is no room. */
export function Aside({
  view,
  turn,
  isSheet,
  onClose,
}: {
  readonly view: RunView
  readonly turn: number | undefined
  readonly isSheet: boolean
  readonly onClose: () => void
}): ReactNode {
  const { t } = useWords()
  const { run, state, facts, turns, calls, contextUsed } = view
  const last = view.items.findLast(isFinishedTurn)
  const shown = turn ?? last?.turn
  // The view changes with every word of a reply; these do not.
  const sections = (
    <>
      <ContextSection {...{ facts, turns, calls, contextUsed, last }} />
      <TodosSection todos={view.todos} />
      <FilesSection {...{ run, state, turns }} folder={facts?.folder} />
      {shown !== undefined && <ReplySection key={shown} run={run} turn={shown} />}
    </>
  )
  if (!isSheet)
    return (
      // It scrolls, so it must be reachable by key.
      <aside className="aside" aria-label={t('chat.aside')} tabIndex={0}>
        {sections}
      </aside>
    )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('chat.aside')}
      className="sheet"
    >
      {sections}
    </Dialog>
  )
}

function isFinishedTurn(item: Item): item is TurnItem {
  return item.type === 'turn' && !item.isOpen && !item.isUnfinished
}
