import type { ApprovalAnswer, Approve } from '@toolglot/agent'
import { showRequest } from '../show/run/request.ts'
import type { Colors } from '../terminal.ts'
import type { Keyboard } from './keyboard.ts'

export interface ApproveOptions {
  readonly keyboard: Keyboard
  readonly colors: Colors
  readonly columns: number
  /** What a call would change, as a diff. */
  readonly preview: (
    args: Readonly<Record<string, unknown>>,
    paths: readonly string[],
  ) => Promise<string | undefined>
}

/** Asks a person whether a call may run: yes, no (and why), always, or stop. No answer is a no. */
export function approveBy({ keyboard, colors, columns, preview }: ApproveOptions): Approve {
  return async (request, signal) => {
    const { parts, call } = request.decision
    const paths = parts.flatMap(({ real }) => (real === undefined ? [] : [real]))
    // What another tool does with such arguments is not known.
    const diff = call && CHANGES.has(call.name) ? await preview(call.args, paths) : undefined
    keyboard.show(showRequest(request, { colors, columns, ...(diff !== undefined && { diff }) }))
    const always = request.always.length > 0
    const { bold, dim } = colors
    const choices = [
      `${bold('y')}es`,
      `${bold('n')}o ${dim('(and why)')}`,
      ...(always ? [`${bold('a')}lways`] : []),
      `${bold('s')}top`,
    ]
    const question = `  Run it? ${choices.join(', ')} `
    for (;;) {
      const answer = await keyboard.ask(question, signal)
      signal.throwIfAborted()
      const said = answer === undefined ? STOP : readAnswer(answer, always)
      if (said) return said
      keyboard.show(dim('  Say y, n, s, or n with a reason: n use npm instead\n'))
    }
  }
}

const CHANGES: ReadonlySet<string> = new Set(['Write', 'Edit'])

const STOP: ApprovalAnswer = { verdict: 'deny', stop: true }

/** What a person means; undefined where that is not clear. */
export function readAnswer(text: string, always: boolean): ApprovalAnswer | undefined {
  const answer = text.trim()
  if (/^(y|yes|ok)$/i.test(answer)) return { verdict: 'allow' }
  if (always && /^(a|always)$/i.test(answer)) return { verdict: 'allow', always: true }
  if (/^(s|stop)$/i.test(answer)) return STOP
  const [, reason] = /^(?:n|no)(?:[\s,:]+(.*))?$/is.exec(answer) ?? [undefined, undefined]
  if (!/^(n|no)\b/i.test(answer)) return undefined
  return { verdict: 'deny', ...(reason && { reason: `The user says: ${reason}` }) }
}
