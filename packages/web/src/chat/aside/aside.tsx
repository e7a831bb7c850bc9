import type { Item, RunView, TurnItem } from '@toolglot/react/view'
import { type ReactNode, memo } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { useWords } from '../../words/words.ts'
import { FilesSection } from './changed-files.tsx'
import { ApiError } from '@toolglot/server/client'
import { ParserLink, type TurnPlace } from '../../app/parser-link.tsx'
import { useApi } from '../../app/use-api.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ReplyText } from '../../ui/reply-text.tsx'
import type { Todo } from '@toolglot/agent'
import { Icon } from '../../ui/icon.tsx'
import { useFormat, tokenRate } from '../format.ts'

const LOOKS = { completed: 'done', cancelled: 'done', in_progress: 'now', pending: '' } as const

/** A longer list is not a list that somebody reads. */
const MAX_SHOWN = 100

/** The todo list of the model. */
const TodosSection = memo(function TodosSection({
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

/** Thoughts that came apart from the reply: nobody reads more of them here. */
const MAX_THOUGHTS = 20_000

/** The model's reply in a turn, colored by how it was read. */
const ReplySection = memo(function ReplySection({ run, turn }: TurnPlace): ReactNode {
  const { t } = useWords()
  const { data, error, isPending } = useApi(
    'GET /api/runs/:run/turns/:turn',
    { parameters: { run, turn: String(turn) } },
    { staleTime: Infinity },
  )
  const title = t('chat.wrote')
  return (
    <section className="border-0" id="reply">
      <h2>
        {title}
        <span className="end">
          {t('chat.turn', { number: turn + 1 })}
          {data && <ParserLink {...{ run, turn }} />}
          {data && <CopyButton text={data.content} />}
        </span>
      </h2>
      {isPending && <div className="skel" />}
      {error && (
        <p className="dim">{error instanceof ApiError ? error.detail : t('shell.unreachable')}</p>
      )}
      {data?.thoughts !== undefined && (
        <div className="wire w-r">{data.thoughts.slice(0, MAX_THOUGHTS)}</div>
      )}
      {data && (
        <ReplyText
          content={data.content}
          segments={data.segments}
          label={title}
          empty={t('chat.wrote.nothing')}
        />
      )}
    </section>
  )
})

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

/** How full the context is, and how much of its limits the run has used. */
const ContextSection = memo(function ContextSection({
  facts,
  turns,
  calls,
  contextUsed,
  last,
}: Pick<RunView, 'facts' | 'turns' | 'calls' | 'contextUsed'> & {
  /** The last turn that is complete. */
  readonly last: TurnItem | undefined
}): ReactNode {
  const { t, number } = useWords()
  const { tokens } = useFormat()
  const size = facts?.contextTokens
  const total = Math.max(size ?? contextUsed, 1)
  const input = last?.usage?.input ?? 0
  const output = last?.usage?.output ?? 0
  const rate = last && tokenRate(last)
  const of = (used: number, limit: number | undefined): string =>
    limit === undefined ? number(used) : `${number(used)} / ${number(limit)}`
  return (
    <section>
      <h2>
        {t('chat.context')}
        <span className="end num">
          {size === undefined
            ? t('chat.context.used', { used: tokens(contextUsed) })
            : t('chat.context.of', { used: tokens(contextUsed), size: tokens(size) })}
        </span>
      </h2>
      {size !== undefined && (
        <div
          className="meter"
          role="meter"
          aria-label={t('chat.context')}
          aria-valuemin={0}
          aria-valuemax={size}
          aria-valuenow={Math.min(contextUsed, size)}
        >
          <b style={{ width: `${(100 * input) / total}%`, background: 'var(--strip-mark)' }} />
          <b style={{ width: `${(100 * output) / total}%`, background: 'var(--solid-call)' }} />
        </div>
      )}
      {last?.usage && (
        <div className="legend num">
          <i style={{ background: 'var(--strip-mark)' }} />
          {t('chat.context.prompt')}
          <span>{tokens(input)}</span>
          <i style={{ background: 'var(--solid-call)' }} />
          {t('chat.context.reply')}
          <span>{tokens(output)}</span>
        </div>
      )}
      <div className="facts">
        <div>
          <b>{of(turns, facts?.limits?.maxIterations)}</b>
          <span>{t('chat.facts.turns')}</span>
        </div>
        <div>
          <b>{of(calls, facts?.limits?.maxToolCalls)}</b>
          <span>{t('chat.facts.calls')}</span>
        </div>
        <div>
          <b>{rate === undefined ? '–' : number(rate, { maximumFractionDigits: 1 })}</b>
          <span>{t('chat.facts.rate')}</span>
        </div>
      </div>
    </section>
  )
})
