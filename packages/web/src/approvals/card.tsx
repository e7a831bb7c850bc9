import { type KeyboardEvent, type ReactNode, useId, type MouseEvent, useCallback } from 'react'
import { isComposing } from '../ui/is-composing.ts'
import { useFocusRequest } from './focus-next.ts'
import type { Guard } from './use-guard.ts'
import { useWords } from '../words/words.ts'
import { ApiError } from '@toolglot/server/client'
import { useConnection } from '../app/connection.ts'
import { Banner } from '../ui/banner.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { type Choice, type Sent, askState, changeAskState } from './ask-state.ts'
import { useRunActions, type RunActions } from '@toolglot/react'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** The frame of every card. It is focusable, and its keys work only while it has the focus. */
export function Card({
  call,
  title,
  header,
  isQuestion = false,
  guard,
  onKey,
  children,
}: {
  /** The id of the call. */
  readonly call: string
  /** Its label for screen readers. */
  readonly title: string
  readonly header: ReactNode
  readonly isQuestion?: boolean
  readonly guard: Guard
  /**
   * Handles a key pressed once while the card has the focus and the user is not typing. Keys are in
   * lower case and as on a Latin keyboard: `y`, `1`, `enter`. Returns true if the key was used.
   */
  readonly onKey: (key: string) => boolean
  readonly children: ReactNode
}): ReactNode {
  const { element, listeners } = guard
  const id = useId()
  useFocusRequest(call, element)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { target, nativeEvent } = event
    if (isComposing(nativeEvent) || event.altKey || event.ctrlKey || event.metaKey) return
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (isTyping) {
      if (event.key !== 'Escape') return
      // Otherwise Escape would stop the run; here it only ends the typing.
      event.preventDefault()
      element.current?.focus()
      return
    }
    const key = keyOf(event)
    // A held key counts once.
    if (event.repeat) {
      if (key.length === 1) event.preventDefault()
      return
    }
    if (onKey(key)) event.preventDefault()
  }
  return (
    <section
      ref={element}
      className={`group/card scroll-m-3 overflow-hidden rounded-lg border bg-panel shadow-card focus-within:outline-2 focus-within:outline-offset-1 focus-visible:rounded-lg focus-visible:shadow-card ${DISABLED} ${isQuestion ? 'border-call-line focus-within:outline-solid-call' : 'border-ask-line focus-within:outline-ask-solid'}`}
      role="group"
      aria-labelledby={id}
      // Focusable, so that its keys have a target.
      tabIndex={0}
      data-call={call}
      {...listeners}
      onKeyDown={onKeyDown}
    >
      <span className="sr-only" id={id}>
        {title}
      </span>
      <header
        className={`flex min-w-0 items-center gap-2 border-b px-3 py-2 [&_.chip]:flex-none ${isQuestion ? 'border-call-line bg-call-bg' : 'border-ask-line bg-ask-bg'}`}
      >
        {header}
      </header>
      {children}
    </section>
  )
}

/** Disabled buttons and fields. A button that must keep the focus is marked with aria-disabled instead. */
const DISABLED =
  '[&_:is(button:disabled,button[aria-disabled=true],input:disabled)]:cursor-default [&_:is(button:disabled,button[aria-disabled=true],input:disabled)]:opacity-55'

/** The body of a card. */
export function CardBody({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div
      className="grid grid-cols-1 gap-2.5 p-3 [&_.code]:max-h-[60vh] [&_.code]:wrap-anywhere [&_.code]:whitespace-pre-wrap [&_code]:wrap-anywhere"
      data-body
    >
      {children}
    </div>
  )
}

/** The buttons at the bottom of a card. Their key hints are dimmed while the card has no focus. */
export function CardActions({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div
      className={`flex flex-wrap items-center gap-1.5 border-t border-line bg-sunk px-3 py-2 phone:[&_.button]:flex-1 phone:[&_.button]:justify-center ${CARD_KEYS}`}
      data-actions
    >
      {children}
    </div>
  )
}

/** Key hints are dimmed, not removed, so that no button moves while it is being clicked. */
export const CARD_KEYS =
  '[&_kbd]:opacity-35 group-focus-within/card:[&_kbd]:opacity-100 phone:[&_kbd]:hidden'

/** The key as on a Latin keyboard, for keyboards with other alphabets. */
function keyOf({ key, nativeEvent: { code } }: KeyboardEvent): string {
  const isLatin = /^[ -~]+$/.test(key)
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? []
  return (isLatin || letter === undefined ? key : letter).toLowerCase()
}

/** The position among the waiting requests. */
export function Position({
  position,
  count,
}: {
  readonly position: number
  readonly count: number
}): ReactNode {
  const { t } = useWords()
  if (count < 2) return null
  return (
    <span className="flex-none whitespace-nowrap text-ink-3 tabular-nums">
      {t('approvals.position', { position, count })}
    </span>
  )
}

/** The progress of an answer, with actions if it failed. */
export function AnswerStatus({
  sent,
  onRetry,
}: {
  readonly sent: Sent
  readonly onRetry: (choice: Choice, press: MouseEvent) => void
}): ReactNode {
  const { t } = useWords()
  const { status, choice, error } = sent
  if (status === 'sending' || status === 'recorded') {
    return (
      <p className="cluster text-ink-2" role="status">
        {status === 'sending' && <Spinner />}
        {t(`approvals.${status}`)}
      </p>
    )
  }
  if (status === 'late') return <Banner icon="clock">{t('approvals.late')}</Banner>
  return (
    <Banner
      kind="no"
      icon="hand"
      action={
        <Button small onClick={(press) => onRetry(choice, press)}>
          {t(`approvals.retry.${choice.type}`)}
        </Button>
      }
    >
      <FailureText choice={choice} error={error} />
    </Banner>
  )
}

function FailureText({
  choice,
  error,
}: {
  readonly choice: Choice
  readonly error: unknown
}): ReactNode {
  const { t } = useWords()
  const { isLost } = useConnection()
  if (!(error instanceof ApiError) || error.status >= 500)
    return t(isLost ? 'approvals.failed.lost' : 'approvals.failed.back')
  const isAboutFolder = choice.type === 'allow' && choice.always === 'folder'
  if (isAboutFolder && error.detail.includes('not trusted')) return t('approvals.failed.untrusted')
  return (
    <>
      {t('approvals.failed')} <VisibleText text={error.message} />
    </>
  )
}

/**
 * Returns a function that sends an answer and records its progress. Ignores further answers while
 * one is being sent.
 */
export function useAnswer(run: string, key: string): (choice: Choice) => void {
  const actions = useRunActions(run)
  return useCallback(
    (choice) => {
      const status = askState(run, key).sent?.status
      if (status === 'sending' || status === 'recorded' || status === 'late') return
      changeAskState(run, key, { sent: { choice, status: 'sending' } })
      send(actions, key, choice).then(
        () => changeAskState(run, key, { sent: { choice, status: 'recorded' } }),
        (error: unknown) =>
          changeAskState(run, key, {
            sent: { choice, status: isLate(error) ? 'late' : 'failed', error },
          }),
      )
    },
    [actions, run, key],
  )
}

function send(actions: RunActions, key: string, choice: Choice): Promise<void> {
  switch (choice.type) {
    case 'allow': {
      const { always, network } = choice
      return actions.approve(key, { always, network })
    }
    case 'deny': {
      const { reason, stop } = choice
      return actions.deny(key, { reason: reason || undefined, stop: stop || undefined })
    }
    case 'answer':
      return actions.answer(key, choice.answers)
  }
}

/** True if the request is no longer waiting. */
function isLate(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 404 || error.code === 'not_pending'
}
