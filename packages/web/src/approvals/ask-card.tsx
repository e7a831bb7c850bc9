import type { CallPart } from '@toolglot/react/view'
import type { ReactNode } from 'react'
import { ApprovalCard } from './approval-card.tsx'
import { QuestionCard } from './question-card.tsx'

/** A call that waits for a person: for approval, or for answers to its questions. It stands where the call stands. */
export function AskCard({
  run,
  part,
  position,
  count,
}: {
  readonly run: string
  readonly part: CallPart
  /** Which one it is of those that wait in this run, from 1. */
  readonly position: number
  readonly count: number
}): ReactNode {
  const { approval, question } = part
  const place = { run, part, position, count }
  // A call may be approved first, and ask then.
  if (question && !question.answers) {
    return <QuestionCard key={question.key} {...place} question={question} />
  }
  return approval ? <ApprovalCard key={approval.key} {...place} approval={approval} /> : null
}
