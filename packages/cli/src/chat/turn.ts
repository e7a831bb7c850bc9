import { run, type RunEvent, type RunOptions } from '@toolglot/agent'
import { readRuleList } from '@toolglot/permissions'
import { showEnd } from '../show/run/end.ts'
import { visible, visibleLine } from '../show/visible.ts'
import { type Ended, follow } from '../talk/follow.ts'
import { withMentions } from '../talk/mentions.ts'
import { runOptions } from '../talk/run-options.ts'
import { write } from '../terminal.ts'
import type { Session } from './session.ts'

/** Sends a prompt to the model and shows the run. Without a prompt, resumes the run where it stopped. */
export async function turn(
  session: Session,
  prompt: string | undefined,
): Promise<{ readonly ended: Ended; readonly leaves: boolean }> {
  const { person, view, promptQueue, workplace, speaker, colors, terminal, hasChanged } = session
  // The user made this change, so a warning about it is not needed.
  const isKnown = (event: RunEvent): boolean =>
    hasChanged && event.type === 'warning' && event.code === 'changed'
  person.show('\n')
  const { value: ended, leaves } = await person.during(async (signal) => {
    const mentioned =
      prompt === undefined
        ? undefined
        : await withMentions(prompt, workplace, { run: session.id, speaker, signal })
    session.untrusted = [...session.untrusted, ...(mentioned?.untrusted ?? [])]
    for (const note of mentioned?.notes ?? [])
      person.show(`${colors.yellow('warning:')} ${visibleLine(note)}\n`)
    const events = run({
      ...optionsOf(session, signal),
      ...(mentioned && { prompt: mentioned.content }),
    })
    return follow(events, {
      show: (event) => (isKnown(event) ? undefined : view.show(event)),
      promptQueue,
    })
  })
  session.isBegun = true
  session.hasChanged = false
  session.isOpen = ended.reason !== 'answer'
  session.usage = ended.usage
  if (!person.keyboard && ended.text !== '')
    await write(terminal.output, `${visible(ended.text)}\n`)
  person.show(showEnd(ended, colors))
  if (session.isOpen && !leaves)
    person.show(colors.dim('Type /resume to continue from here, or a new prompt.\n'))
  return { ended, leaves }
}

function optionsOf(session: Session, signal: AbortSignal): RunOptions {
  const { workplace, speaker, flags, promptQueue, person, terminal, id } = session
  const { output, env } = terminal
  const options = runOptions({
    workplace: { ...workplace, permissions: permissionsOf(session) },
    speaker,
    flags,
    promptQueue,
    keyboard: person.keyboard,
    screen: output,
    env,
    signal,
  })
  const { approve } = options
  return {
    ...options,
    id,
    untrusted: session.untrusted,
    ...(session.isBegun && { resume: true }),
    ...(approve && {
      // "Always" also holds in later turns.
      approve: async (request, stop) => {
        const answer = await approve(request, stop)
        if (answer.verdict === 'allow' && answer.always)
          session.allowed = [...session.allowed, ...request.always]
        return answer
      },
    }),
    ...(session.hasChanged && { confirm: async () => true }),
  }
}

/** The permissions of a session, including what the user answered "always" to. */
export function permissionsOf({
  workplace,
  allowed,
}: Session): Session['workplace']['permissions'] {
  const { permissions } = workplace
  const { rules } = readRuleList(allowed, 'allow', { scope: 'cli' }, permissions.tools)
  return { ...permissions, rules: [...permissions.rules, ...rules] }
}
