import type { Todo } from '@toolglot/agent'
import { memo } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'

const LOOKS = { completed: 'done', cancelled: 'done', in_progress: 'now', pending: '' } as const
/** A longer list is not a list that somebody reads. */
const MAX_SHOWN = 100

/** What the model wants to do, and what it has done. */
export const TodosSection = memo(function TodosSection({
  todos,
}: {
  readonly todos: readonly Todo[]
}): ReactNode {
  const { t, number } = useWords()
  if (todos.length === 0) return null
  const done = todos.filter(({ status }) => status === 'completed').length
  return (
    <section>
      <h2>
        {t('chat.todos')}
        <span className="end num">
          {t('chat.todos.done', { done: number(done), total: number(todos.length) })}
        </span>
      </h2>
      <ul className="todo">
        {todos.slice(0, MAX_SHOWN).map(({ content, status }, at) => (
          <li key={at}>
            <span className={`box ${LOOKS[status]}`}>
              {status === 'completed' && <Icon name="check" />}
              {status === 'cancelled' && <Icon name="x" />}
              <span className="sr">{t(`chat.todo.${status}`)}</span>
            </span>
            <span className={`${LOOKS[status]} min-w-0 break-words`}>{content}</span>
          </li>
        ))}
      </ul>
    </section>
  )
})
