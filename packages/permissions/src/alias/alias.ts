/** A JSON Schema. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** The arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>

/** Another name for a tool. A call by that name is a call of the tool, and the tool's rules apply to it. */
export interface Alias {
  readonly tool: string
  /** It does less than its tool, so a rule with its name would allow more than it seems to. */
  readonly narrow?: true
  /** The schema of its arguments. Undefined: the tool's. */
  readonly parameters?: Schema
  /** Converts its arguments to the tool's; or what is wrong with them. Arguments that the tool knows are kept. */
  toTool?(args: Arguments, configured: AliasSettings): Record<string, unknown> | string
  /** Converts the tool's result to its own. `text` is the tool's result as shown to the model. */
  fromTool?(result: unknown, text: string): unknown
}

/** An alias with its own description and schema, which a model can be offered as a tool. */
export interface OfferedAlias extends Required<Omit<Alias, 'narrow'>>, Pick<Alias, 'narrow'> {
  readonly description: string
}

/** Settings that aliases use. */
export interface AliasSettings {
  /** The shell text that `run_tests` runs. */
  readonly testCommand?: string | undefined
}

/** Renames arguments; or the error if one is given under both names. */
export function renameArguments(
  args: Arguments,
  tool: string,
  names: Readonly<Record<string, string>> = {},
): Record<string, unknown> | string {
  const own: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [key, value] of Object.entries(args)) {
    const name = Object.hasOwn(names, key) ? names[key]! : key
    if (name in own) return `${tool} got the argument ${name} twice.`
    own[name] = value
  }
  return own
}
