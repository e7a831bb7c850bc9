import type { Session } from '../session.ts'

/** A chat command, which is not sent to the model. */
export interface SlashCommand {
  /** The name without the slash. */
  readonly name: string
  /** A placeholder for its argument, such as `[RUN]`. */
  readonly argument?: string
  readonly about: string
  /** Runs the command; `leave` ends the chat. */
  run(session: Session, argument: string): Promise<void | 'leave'> | void | 'leave'
}
