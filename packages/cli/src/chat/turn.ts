import { run, type RunEvent, type RunOptions } from '@toolglot/agent'
import { withMentions } from '@toolglot/workspace'
import { visible, visibleLine } from '@toolglot/workspace/internal'
import { showEnd } from '../show/run/end.ts'
import { type Ended, follow } from '../run/follow.ts'
import { runOptions } from '../run/run-options.ts'
import { write } from '../terminal.ts'
import type { Session } from './session.ts'

/** Sends a prompt to the model and shows the run. Without a prompt, resumes the run. */
export async function turn(
  session: Session,
  prompt: string | undefined,
): Promise<{ readonly ended: Ended; readonly leaves: boolean }> {
  const { person, view, promptQueue, setup, chosen, colors, terminal, choseAnotherModel } = session
  // The user made this change, so there is no need to warn about it.
  const isKnown = (event: RunEvent): boolean =>
    choseAnotherModel && event.type === 'warning' && event.code === 'changed'
  person.show('\n')
  const { value: ended, leaves } = await person.during(async (signal) => {
    const mentioned =
      prompt === undefined
        ? undefined
        : await withMentions(prompt, setup, { run: session.id, chosen, signal })
    session.untrusted = [...session.untrusted, ...(mentioned?.untrusted ?? [])]
    for (const { path, reason } of mentioned?.missing ?? [])
      person.show(`${colors.yellow('warning:')} ${visibleLine(`@${path}: ${reason}`)}\n`)
    if (prompt !== undefined && mentioned) {
      view.typed(mentioned.content)
      session.typed.set(mentioned.content, prompt)
    }
    const events = run({
      ...optionsOf(session, signal),
      ...(mentioned && { prompt: mentioned.content }),
    })
    return follow(events, {
      show: (event) => {
        if (event.type === 'turn-end' && event.turn >= 0)
          session.usedTokens = event.usage.input + event.usage.output
        if (!isKnown(event)) view.show(event)
      },
      promptQueue,
    })
  })
  // If recording failed, the run may not exist.
  if (ended.reason !== 'storage') {
    session.isRecorded = true
    session.fork = undefined
  }
  session.choseAnotherModel = false
  session.isUnfinished = ended.reason !== 'answer'
  session.usage = ended.usage
  if (!person.keyboard && ended.text !== '')
    await write(terminal.output, `${visible(ended.text)}\n`)
  person.show(showEnd(ended, colors))
  if (session.isUnfinished && !leaves)
    person.show(colors.dim('Type /resume to continue from here, or a new prompt.\n'))
  return { ended, leaves }
}

function optionsOf(session: Session, signal: AbortSignal): RunOptions {
  const { person, terminal, id, fork } = session
  const { output, env } = terminal
  return {
    ...runOptions({ ...session, keyboard: person.keyboard, screen: output, env, signal }),
    id,
    untrusted: session.untrusted,
    ...(session.isRecorded && { resume: true }),
    ...(fork && { fork: { run: fork.source.run, turn: fork.turn } }),
    ...(session.choseAnotherModel && { confirm: async () => true }),
  }
}
