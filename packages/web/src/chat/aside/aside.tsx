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
import { AsideSection } from './aside-section.tsx'

const DONE = 'border-solid-ok bg-solid-ok text-[#fff]'
const BOXES = {
  completed: DONE,
  cancelled: DONE,
  in_progress: 'border-dashed border-ink',
  pending: 'border-ink-3',
} as const
const TEXTS = {
  completed: 'text-ink-3 line-through',
  cancelled: 'text-ink-3 line-through',
  in_progress: 'font-550',
  pending: '',
} as const

/** Longer lists are not useful to read. */
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
    <AsideSection
      title={t('chat.todos')}
      end={t('chat.todos.done', { done: number(done), total: number(todos.length) })}
    >
      <ul className="grid gap-px">
        {todos.slice(0, MAX_SHOWN).map(({ content, status }, at) => (
          <li key={at} className="flex items-start gap-2 py-[3px]">
            <span
              className={`mt-[3px] grid size-3.5 flex-none place-items-center rounded-sm border-[1.5px] [&_svg]:size-2.5 [&_svg]:stroke-[2.4] ${BOXES[status]}`}
            >
              {status === 'completed' && <Icon name="check" />}
              {status === 'cancelled' && <Icon name="x" />}
              <span className="sr-only">{t(`chat.todo.${status}`)}</span>
            </span>
            <span className={`min-w-0 break-words ${TEXTS[status]}`}>{content}</span>
          </li>
        ))}
      </ul>
    </AsideSection>
  )
})

/** The maximum length of reasoning shown here, if it was sent separately from the reply. */
const MAX_THOUGHTS = 20_000

/** The model's reply in a turn, colored by the kinds of its pieces. */
const ReplySection = memo(function ReplySection({ run, turn }: TurnPlace): ReactNode {
  const { t } = useWords()
  const { data, error, isPending } = useApi(
    'GET /api/runs/:run/turns/:turn',
    { parameters: { run, turn: String(turn) } },
    { staleTime: Infinity },
  )
  const title = t('chat.wrote')
  return (
    <AsideSection
      id="reply"
      isLast
      title={title}
      end={
        <>
          {t('chat.turn', { number: turn + 1 })}
          {data && <ParserLink {...{ run, turn }} />}
          {data && <CopyButton text={data.content} />}
        </>
      }
    >
      {isPending && <div className="skeleton" />}
      {error && (
        <p className="text-ink-2">
          {error instanceof ApiError ? error.detail : t('shell.unreachable')}
        </p>
      )}
      {data?.thoughts !== undefined && (
        <div className="wire read-reasoning">{data.thoughts.slice(0, MAX_THOUGHTS)}</div>
      )}
      {data && (
        <ReplyText
          content={data.content}
          segments={data.segments}
          label={title}
          empty={t('chat.wrote.nothing')}
        />
      )}
    </AsideSection>
  )
})

/**
 * The panel beside the conversation, or over it in narrow windows: context, todos, changed files,
 * and the model's output.
 */
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
  // The view changes with every word of a reply; these sections do not.
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
      // Focusable, because it scrolls.
      <aside
        className="min-h-0 overflow-auto border-l border-line bg-panel tablet:hidden phone:hidden"
        aria-label={t('chat.aside')}
        tabIndex={0}
      >
        {sections}
      </aside>
    )
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('chat.aside')} place="right">
      {sections}
    </Dialog>
  )
}

function isFinishedTurn(item: Item): item is TurnItem {
  return item.type === 'turn' && !item.isOpen && !item.isUnfinished
}

/** The used part of the context and of the run's limits. */
const ContextSection = memo(function ContextSection({
  facts,
  turns,
  calls,
  contextUsed,
  last,
}: Pick<RunView, 'facts' | 'turns' | 'calls' | 'contextUsed'> & {
  /** The last complete turn. */
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
    <AsideSection
      title={t('chat.context')}
      end={
        size === undefined
          ? t('chat.context.used', { used: tokens(contextUsed) })
          : t('chat.context.of', { used: tokens(contextUsed), size: tokens(size) })
      }
    >
      {size !== undefined && (
        <div
          className="flex h-2 gap-px overflow-hidden rounded-[3px] bg-hover"
          role="meter"
          aria-label={t('chat.context')}
          aria-valuemin={0}
          aria-valuemax={size}
          aria-valuenow={Math.min(contextUsed, size)}
        >
          <b className="h-full bg-strip-mark" style={{ width: `${(100 * input) / total}%` }} />
          <b className="h-full bg-solid-call" style={{ width: `${(100 * output) / total}%` }} />
        </div>
      )}
      {last?.usage && (
        <div className="grid grid-cols-[auto_1fr_auto] items-center gap-x-2 gap-y-0.5 text-12 text-ink-2 tabular-nums">
          <i className="size-2 rounded-[2px] bg-strip-mark" />
          {t('chat.context.prompt')}
          <span className="text-right">{tokens(input)}</span>
          <i className="size-2 rounded-[2px] bg-solid-call" />
          {t('chat.context.reply')}
          <span className="text-right">{tokens(output)}</span>
        </div>
      )}
      <div className="grid grid-cols-3 gap-px overflow-hidden rounded-md border border-line bg-line">
        <Fact value={of(turns, facts?.limits?.maxIterations)} name={t('chat.facts.turns')} />
        <Fact value={of(calls, facts?.limits?.maxToolCalls)} name={t('chat.facts.calls')} />
        <Fact
          value={rate === undefined ? '–' : number(rate, { maximumFractionDigits: 1 })}
          name={t('chat.facts.rate')}
        />
      </div>
    </AsideSection>
  )
})

function Fact({ value, name }: { readonly value: string; readonly name: string }): ReactNode {
  return (
    <div className="bg-panel px-[9px] py-1.5">
      <b className="block text-14 font-580 tabular-nums">{value}</b>
      <span className="text-11 text-ink-3">{name}</span>
    </div>
  )
}
