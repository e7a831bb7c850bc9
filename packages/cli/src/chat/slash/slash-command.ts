import type { Session } from '../session.ts'

/** Something that is not for the model. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string
  /** What may follow it. */
  readonly takes?: string
  readonly about: string
  run(session: Session, words: string): Promise<void | 'leave'> | void | 'leave'
}
