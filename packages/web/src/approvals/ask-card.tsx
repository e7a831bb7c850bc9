import type { CallPart, CallQuestion } from '@toolglot/react/view'
import { type ReactNode, useState } from 'react'
import { ApprovalCard } from './approval-card.tsx'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { AnswerStatus, Card, CardActions, CardBody, Position, useAnswer } from './card.tsx'
import {
  useAskState,
  answersOf,
  chooseByDigit,
  isAnswered,
  noAnswers,
  NOTHING_SELECTED,
  type Selection,
} from './ask-state.ts'
import { QuestionOptions } from './question-options.tsx'
import { useGuard } from './use-guard.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { StateIcon } from '../ui/state-icon.tsx'

/**
 * A call that waits for the user: for an approval, or for answers to its questions. It is shown in
 * place of the call.
 */
export function AskCard({
  run,
  part,
  position,
  count,
}: {
  readonly run: string
  readonly part: CallPart
  /** Its position among the waiting calls of this run, from 1. */
  readonly position: number
  readonly count: number
}): ReactNode {
  const { approval, question } = part
  const place = { run, part, position, count }
  // A call may first need an approval and then ask questions.
  if (question && !question.answers) {
    return <QuestionCard key={question.key} {...place} question={question} />
  }
  return approval ? <ApprovalCard key={approval.key} {...place} approval={approval} /> : null
}

/** A call that asks the user one to four questions. */
function QuestionCard({
  run,
  part,
  question: { key, questions },
  position,
  count,
}: {
  readonly run: string
  readonly part: CallPart
  readonly question: CallQuestion
  readonly position: number
  readonly count: number
}): ReactNode {
  const { t } = useWords()
  const [{ selections, sent }, change] = useAskState(run, key)
  const send = useAnswer(run, key)
  const guard = useGuard()
  /** The question that digits apply to. */
  const [current, setCurrent] = useState(0)
  const selectionOf = (at: number): Selection => selections[at] ?? NOTHING_SELECTED
  const isBusy = sent !== undefined && sent.status !== 'failed'
  const unanswered = questions.flatMap((_, at) => (isAnswered(selectionOf(at)) ? [] : [at]))
  const answers = answersOf(questions, selections)
  const select = (at: number, selection: Selection): void =>
    change({
      selections: questions.map((_, each) => (each === at ? selection : selectionOf(each))),
    })
  const answer = (): void => {
    if (answers && !isBusy) send({ type: 'answer', answers })
  }

  const onKey = (pressed: string): boolean => {
    if (isBusy) return false
    if (pressed === 'enter') {
      const active = document.activeElement
      // A focused button handles the key itself.
      if (active instanceof HTMLButtonElement && !active.matches('[role=radio], [role=checkbox]'))
        return false
      if (guard.isMeant()) answer()
      return true
    }
    if (!/^[1-9]$/.test(pressed)) return false
    const question = questions[current]
    const next = question && chooseByDigit(question, selectionOf(current), Number(pressed))
    if (!next) return false
    select(current, next)
    // With several possible choices or a text field, the user may not be finished.
    if (!question.multiSelect && !next.hasOther)
      setCurrent(Math.min(current + 1, questions.length - 1))
    return true
  }

  const [first] = questions
  const isOne = questions.length === 1
  return (
    <Card
      call={part.id}
      isQuestion
      title={t('approvals.card.question')}
      guard={guard}
      onKey={onKey}
      header={
        <>
          <StateIcon tone="call">
            <Icon name="q" />
          </StateIcon>
          <b className="font-580 wrap-anywhere">
            {isOne && first ? <VisibleText text={first.question} /> : t('approvals.card.question')}
          </b>
          <span className="min-w-0 flex-1" />
          {isOne && first && first.header !== '' && (
            <Chip tone="call">
              <VisibleText text={first.header} />
            </Chip>
          )}
          <Position position={position} count={count} />
        </>
      }
    >
      <CardBody>
        {questions.map((question, at) => (
          <QuestionOptions
            key={question.question}
            question={question}
            selection={selectionOf(at)}
            onChange={(selection) => select(at, selection)}
            onFocus={() => setCurrent(at)}
            isCurrent={at === current}
            onEnter={answer}
            isTitled={!isOne}
            isBusy={isBusy}
          />
        ))}
        {sent && <AnswerStatus sent={sent} onRetry={send} />}
      </CardBody>
      <CardActions>
        <Button
          look="primary"
          disabled={isBusy || !answers}
          aria-keyshortcuts="Enter"
          onClick={answer}
        >
          {t('approvals.question.answer')}
          <kbd aria-hidden="true">⏎</kbd>
        </Button>
        <Button
          look="ghost"
          disabled={isBusy}
          title={t('approvals.question.decline.title')}
          onClick={() => send({ type: 'answer', answers: noAnswers(questions) })}
        >
          {t('approvals.question.decline')}
        </Button>
        {!isOne && unanswered.length > 0 && (
          <span className="text-ink-2">
            {t('approvals.question.missing', { count: unanswered.length })}
          </span>
        )}
      </CardActions>
    </Card>
  )
}
