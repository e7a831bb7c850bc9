import { Exit } from '../exit.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Session } from './session.ts'
import { runSlash } from './slash/index.ts'
import { statusOf } from './status.ts'
import { turn } from './turn.ts'

/** Prompt after prompt, until the person leaves. Fails where lines were piped in and one had no answer. */
export async function chat(session: Session): Promise<void> {
  const { person, colors } = session
  let failed = false
  for (;;) {
    const said = await person.next(statusOf(session))
    if (said === undefined) break
    if (said.startsWith('/') && !said.startsWith('//')) {
      if ((await runSlash(said, session)) === 'leave') break
      person.show('\n')
      continue
    }
    const { ended, leaves } = await turn(session, said.replace(/^\/\//, '/'))
    failed ||= ended.reason !== 'answer' || ended.unasked
    person.show('\n')
    if (leaves) break
  }
  if (session.isBegun)
    person.show(colors.dim(`to go on: toolglot chat --resume ${visibleLine(session.id)}\n`))
  if (failed && !person.keyboard) throw new Exit(1)
}
