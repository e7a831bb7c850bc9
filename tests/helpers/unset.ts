/**
 * The optional members of some options, each undefined. A missing member in a table is a type
 * error.
 */
export type Unset<Options> = Readonly<Record<Optional<Options>, undefined>>

type Optional<Options> = keyof {
  [Key in keyof Options as {} extends Pick<Options, Key> ? Key : never]: unknown
}
