import type { Model } from '../../model.ts'
import type { ConnectOptions } from '../connect-options.ts'

/** A kind of models: how they are named, and how to connect to one. */
export interface ModelKind {
  readonly id: string
  /** How such a model is named, for messages. */
  readonly example: string
  /** Whether a text can only name a model of this kind. */
  matches(text: string): boolean
  /** Its models cost money: if a server on this machine has one of exactly this name, that one is meant. */
  readonly isPaid?: true
  /** Checks the name of a model, and returns it as it is stored. Throws a TypeError that explains what is wrong with it. */
  parse(text: string, place: ReferencePlace): string
  /** Connects to a model, without sending it anything yet. */
  connect(reference: string, options: ConnectOptions): Promise<Model>
  /**
   * Checks that there is such a model, as far as that can be found out without asking it. Throws a ModelError if there is not,
   * and returns what could not be checked, for people. Default: connects to it.
   */
  verify?(reference: string, options: ConnectOptions): Promise<string | undefined>
}

/** Where a name was given: relative paths start there. */
export interface ReferencePlace {
  /** Default: paths must be absolute. */
  readonly cwd?: string | undefined
  /** The user's home folder, for `~/`. */
  readonly home?: string | undefined
}
