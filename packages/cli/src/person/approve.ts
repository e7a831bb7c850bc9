import type { ApprovalAnswer, Approve } from '@toolglot/agent'
import { showRequest } from '../show/run/request.ts'
import type { Colors } from '../terminal.ts'
import type { Keyboard } from './keyboard.ts'

/** What the approval prompt needs. */
export interface ApproveOptions {
  readonly keyboard: Keyboard
  readonly colors: Colors
  readonly columns: number
  /** Returns what a call would change, as a diff. */
  readonly preview: (
    args: Readonly<Record<string, unknown>>,
    paths: readonly string[],
  ) => Promise<string | undefined>
}

/** Asks the user whether a call may run: yes, no (with a reason), always, or stop. No answer means stop. */
export function approveAtKeyboard({ keyboard, colors, columns, preview }: ApproveOptions): Approve {
  return async (request, signal) => {
    const { parts, call } = request.decision
    const paths = parts.flatMap(({ real }) => (real === undefined ? [] : [real]))
    // Other tools may use the same arguments for something else.
    const diff = call && FILE_TOOLS.has(call.name) ? await preview(call.args, paths) : undefined
    keyboard.show(showRequest(request, { colors, columns, ...(diff !== undefined && { diff }) }))
    const always = request.always.length > 0
    const { bold, dim } = colors
    const choices = [
      `${bold('y')}es`,
      `${bold('n')}o ${dim('(reason optional)')}`,
      ...(always ? [`${bold('a')}lways`] : []),
      `${bold('s')}top`,
    ]
    const question = `  Run it? ${choices.join(', ')} `
    for (;;) {
      const line = await keyboard.ask(question, signal)
      signal.throwIfAborted()
      const answer = line === undefined ? STOP : readAnswer(line, always)
      if (answer) return answer
      const letters = always ? 'y, n, a or s' : 'y, n or s'
      keyboard.show(dim(`  Please type ${letters}, or n with a reason: n use npm instead\n`))
    }
  }
}

const FILE_TOOLS: ReadonlySet<string> = new Set(['Write', 'Edit'])

const STOP: ApprovalAnswer = { verdict: 'deny', stop: true }

/** Parses the user's answer; undefined if it is unclear. */
export function readAnswer(text: string, always: boolean): ApprovalAnswer | undefined {
  const answer = text.trim()
  if (/^(y|yes|ok)$/i.test(answer)) return { verdict: 'allow' }
  if (always && /^(a|always)$/i.test(answer)) return { verdict: 'allow', always: true }
  if (/^(s|stop)$/i.test(answer)) return STOP
  const [, reason] = /^(?:n|no)(?:[\s,:]+(.*))?$/is.exec(answer) ?? [undefined, undefined]
  if (!/^(n|no)\b/i.test(answer)) return undefined
  return { verdict: 'deny', ...(reason && { reason: `The user says: ${reason}` }) }
}
