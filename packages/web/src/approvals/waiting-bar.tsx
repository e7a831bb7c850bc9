import type { CallPart, RunView } from '@toolglot/react/view'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useCommands } from '../app/commands.ts'
import { Icon } from '../ui/icon.tsx'
import { useToast } from '../ui/toasts.tsx'
import { type Translate, useWords } from '../words/words.ts'
import { askState } from './ask-state.ts'
import { requestFocus } from './focus-next.ts'
import { Button } from '../ui/button.tsx'

/**
 * The bar above the composer: the number of requests that wait for the user, and a button that goes
 * to the next.
 */
export function WaitingBar({ view }: { readonly view: RunView }): ReactNode {
  const { t } = useWords()
  const { waiting } = view
  /** The call visited last. */
  const last = useRef<string>(undefined)
  const announced = useAnnouncement(view)
  const calls = waiting.filter((part) => !isQuestion(part)).length
  const questions = waiting.length - calls

  /** The call after the focused card, or after the one visited last. */
  const next = (): CallPart | undefined => {
    const at = document.activeElement?.closest<HTMLElement>('[data-call]')?.dataset['call']
    const from = waiting.findIndex(({ id }) => id === (at ?? last.current))
    return waiting[(from + 1) % waiting.length]
  }
  const goTo = (part: CallPart | undefined): void => {
    if (!part) return
    last.current = part.id
    requestFocus(part.id)
  }
  const goToNext = (): void => goTo(next())

  // If no element has the focus, Tab goes to the next request: after an answer, and on a newly
  // opened page.
  const onTab = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    if (!isPlainTab(event) || document.activeElement !== document.body) return
    event.preventDefault()
    goToNext()
  })
  const isWaiting = waiting.length > 0
  useEffect(() => {
    if (!isWaiting) return
    const listener = (event: globalThis.KeyboardEvent): void => onTab(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [isWaiting])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isPlainTab(event.nativeEvent)) return
    // After the last request, Tab works as usual, so the focus is not trapped.
    if (last.current !== undefined && last.current === waiting.at(-1)?.id) {
      last.current = undefined
      return
    }
    event.preventDefault()
    goToNext()
  }
  useCommands(
    waiting.map((part) => ({
      id: `review-${part.id}`,
      label: { text: reviewText(part, t) },
      group: 'waiting' as const,
      icon: isQuestion(part) ? ('q' as const) : ('hand' as const),
      run: () => goTo(part),
    })),
  )

  return (
    <>
      <div className="sr-only" role="status" aria-live="polite">
        {/* A new key makes screen readers repeat the same text. */}
        <p key={announced.count}>{announced.text}</p>
      </div>
      {waiting.length > 0 && (
        <div
          className="-mb-px flex items-center gap-2 rounded-t-lg border border-ask-line border-b-transparent bg-ask-bg px-2.5 py-[5px] text-12 font-520 text-ask"
          data-waiting-bar
        >
          <Icon name="hand" />
          <span className="min-w-0 flex-1">{countText(calls, questions, t)}</span>
          <Button
            look="ghost"
            small
            className="text-inherit hover:text-ink"
            title={t('approvals.next.title')}
            aria-keyshortcuts="Tab"
            onClick={goToNext}
            onKeyDown={onKeyDown}
          >
            {t('approvals.next')}
            <kbd aria-hidden="true">⇥</kbd>
          </Button>
        </div>
      )}
    </>
  )
}

function isPlainTab(event: globalThis.KeyboardEvent): boolean {
  const { key, shiftKey, altKey, ctrlKey, metaKey, defaultPrevented } = event
  return key === 'Tab' && !shiftKey && !altKey && !ctrlKey && !metaKey && !defaultPrevented
}

function isQuestion({ question }: CallPart): boolean {
  return question !== undefined && question.answers === undefined
}

function countText(calls: number, questions: number, t: Translate): string {
  if (questions === 0) return t('approvals.waiting.calls', { count: calls })
  if (calls === 0) return t('approvals.waiting.questions', { count: questions })
  return t('approvals.waiting.both', { calls, questions })
}

function reviewText({ name, approval, question }: CallPart, t: Translate): string {
  const [first] = question?.answers ? [] : (question?.questions ?? [])
  return first
    ? t('approvals.review.question', { header: first.header || first.question })
    : t('shell.review.what', {
        what: `${name} ${approval?.request.decision.what.slice(0, 120) ?? ''}`.trim(),
      })
}

/** Announces each new request once, and warns the user if a request was answered elsewhere. */
function useAnnouncement({ run, waiting, items }: RunView): {
  readonly text: string
  readonly count: number
} {
  const { t } = useWords()
  const toast = useToast()
  const before = useRef<readonly CallPart[]>([])
  const [announced, setAnnounced] = useState({ text: '', count: 0 })
  useEffect(() => {
    const had = new Set(before.current.map(keyOf))
    const fresh = waiting.filter((part) => !had.has(keyOf(part)))
    const has = new Set(waiting.map(keyOf))
    const gone = before.current.filter((part) => !has.has(keyOf(part)))
    before.current = waiting
    if (fresh.length > 0) {
      const text = fresh.map((part) => announcement(part, t)).join('. ')
      setAnnounced(({ count }) => ({ text, count: count + 1 }))
    }
    for (const part of gone) {
      const { sent, reason, selections } = askState(run, keyOf(part))
      const wasBegun = reason !== '' || selections.length > 0
      if (sent || !wasBegun || !wasAnswered(items, part.id)) continue
      toast({ title: t('approvals.elsewhere.toast', { tool: part.name }), kind: 'ask' })
    }
  }, [run, waiting, items, t, toast])
  return announced
}

function keyOf({ approval, question }: CallPart): string {
  return (question && !question.answers ? question.key : approval?.key) ?? ''
}

function announcement({ name, question }: CallPart, t: Translate): string {
  const [first] = question?.questions ?? []
  return first
    ? t('approvals.announce.question', { question: first.question })
    : t('approvals.announce.call', { tool: name })
}

/** True if a call was answered, and did not stop waiting because the run was stopped. */
function wasAnswered(items: RunView['items'], id: string): boolean {
  for (const item of items.toReversed()) {
    if (item.type !== 'turn') continue
    const part = item.parts.find((each) => each.id === id)
    if (part?.type !== 'call') continue
    return part.approval?.answer !== undefined || part.question?.answers !== undefined
  }
  return false
}
