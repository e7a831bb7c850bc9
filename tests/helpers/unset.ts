/** The optional members of some options, each undefined. A table without one of them is an error of types. */
export type Unset<Options> = Readonly<Record<Optional<Options>, undefined>>

type Optional<Options> = keyof {
  [Key in keyof Options as {} extends Pick<Options, Key> ? Key : never]: unknown
}
