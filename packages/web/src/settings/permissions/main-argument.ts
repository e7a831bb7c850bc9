/** A tool, as far as its main argument follows from it. */
export interface ToolWithParameters {
  readonly name: string
  readonly parameters: unknown
}

/** The tools that a person asks about most. */
export const USUAL_TOOLS = ['Bash', 'Read', 'Edit', 'Write', 'WebFetch'] as const

/** The argument that says most about a call: the first text that it needs. Undefined: only JSON can say it. */
export function mainArgument({ parameters }: ToolWithParameters): string | undefined {
  const { required, properties } = (parameters ?? {}) as {
    readonly required?: unknown
    readonly properties?: unknown
  }
  const all = Object.entries((properties ?? {}) as Record<string, { readonly type?: unknown }>)
  const texts = all.flatMap(([name, given]) => (given?.type === 'string' ? [name] : []))
  const needed = Array.isArray(required) ? texts.filter((name) => required.includes(name)) : []
  return needed[0] ?? texts[0]
}

/** The arguments, or their JSON as it was typed. */
type CallArguments =
  | { readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly argumentsText: string }

/** What the server is asked about; undefined if what was typed is no JSON object yet. */
export function callOf(argument: string | undefined, typed: string): CallArguments | undefined {
  if (argument !== undefined) return { arguments: { [argument]: typed } }
  const argumentsText = typed.trim() === '' ? '{}' : typed
  try {
    const value: unknown = JSON.parse(argumentsText)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { argumentsText } : undefined
  } catch {
    return undefined
  }
}

/** What was typed, as JSON, and back: for whoever changes how they write a call. */
export function asJson(argument: string, typed: string): string {
  return JSON.stringify({ [argument]: typed })
}

/** The main argument in a JSON text. */
export function fromJson(argument: string, typed: string): string {
  try {
    const value = (JSON.parse(typed) as Record<string, unknown> | null)?.[argument]
    return typeof value === 'string' ? value : ''
  } catch {
    return ''
  }
}
