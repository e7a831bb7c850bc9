import { Exit } from '../exit.ts'
import { describeProtocol, UserError } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { showContext, showTokens } from '../show/context.ts'
import { resumeAgain } from '../show/resume-command.ts'
import type { Session } from './session.ts'
import { runSlash } from './slash/index.ts'
import { turn } from './turn.ts'

/** Takes prompt after prompt until the user leaves. Exits with 1 if prompts were piped in and one got no answer. */
export async function chat(session: Session): Promise<void> {
  const { person, colors } = session
  let failed = false
  for (;;) {
    const input = await person.next(statusOf(session))
    if (input === undefined) break
    if (input.startsWith('/') && !input.startsWith('//')) {
      if ((await runSlash(input, session)) === 'leave') break
      person.show('\n')
      continue
    }
    try {
      const { ended, leaves } = await turn(session, input.replace(/^\/\//, '/'))
      failed ||= ended.reason !== 'answer' || ended.nobodyToAsk || ended.otherProtocol
      person.show('\n')
      if (leaves) break
    } catch (error) {
      // Nothing was sent, because of something in the message.
      if (!(error instanceof UserError)) throw error
      failed = true
      person.show(`${colors.red('error:')} ${visibleLine(error.message)}\n\n`)
    }
  }
  if (session.isRecorded)
    person.show(colors.dim(`To resume: ${resumeAgain('chat', session.id, session.flags)}\n`))
  if (failed && !person.keyboard) throw new Exit(1)
}

/** The line below the prompt: the model, how it writes calls, the context in use, tokens and cost so far, and the folder. */
function statusOf({ chosen, usage, usedTokens, setup: { fileSystem } }: Session): string {
  const { contextTokens } = chosen.model
  const context = contextTokens === undefined ? [] : [showContext(usedTokens, contextTokens)]
  const tokens = usage.input + usage.output
  const spent = tokens === 0 ? [] : [`${usage.estimated ? '~' : ''}${showTokens(tokens)} tokens`]
  const cost =
    usage.cost === undefined
      ? []
      : [`${usage.cost.toFixed(4)} ${chosen.model.price?.currency ?? ''}`]
  const parts = [
    chosen.model.name,
    describeProtocol(chosen).label,
    ...context,
    ...spent,
    ...cost,
    fileSystem.cwd,
  ]
  return `  ${parts.map((part) => visibleLine(part.trim())).join(' · ')}`
}
