/** A JSON Schema. */
export interface Schema {
  readonly [keyword: string]: unknown
}

export type Arguments = Readonly<Record<string, unknown>>

/** Another name of a tool: a call by it is a call of the tool, and the tool's rules are its rules. */
export interface Alias {
  readonly tool: string
  /** It does less than its tool: a rule by its name would mean more than it says. */
  readonly narrow?: true
  /** What it takes, in its own words; undefined: what the tool does. */
  readonly parameters?: Schema
  /** Its arguments as the tool's; or what is wrong with them. Those that are the tool's own already stay. */
  toTool?(args: Arguments, configured: AliasSettings): Record<string, unknown> | string
  /** The tool's result as its own. `text` is what the model would read of the tool's. */
  fromTool?(result: unknown, text: string): unknown
}

/** An alias with words of its own, which a model can be offered. */
export interface OfferedAlias extends Required<Omit<Alias, 'narrow'>>, Pick<Alias, 'narrow'> {
  readonly description: string
}

/** What people set that an alias stands for. */
export interface AliasSettings {
  /** The shell text that `run_tests` runs. */
  readonly testCommand?: string
}

/** Arguments with other names; or which of them was given under both. */
export function renameArguments(
  args: Arguments,
  tool: string,
  names: Readonly<Record<string, string>> = {},
): Record<string, unknown> | string {
  const own: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [key, value] of Object.entries(args)) {
    const name = Object.hasOwn(names, key) ? names[key]! : key
    if (name in own) return `${tool} was given ${name} twice.`
    own[name] = value
  }
  return own
}
