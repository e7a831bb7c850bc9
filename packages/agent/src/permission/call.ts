import type { Call } from '@toolglot/core'
import { type Access, isOfType } from './access.ts'
import { aliases } from './aliases.ts'
import { canonicalTools } from './canonical.ts'

/** A call as permissions see it: what it is, and how sure it is that the model meant it. */
export interface PermissionCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly trust?: Trust
}

/** What the parser found out about a call; and whether its arguments repeat what an untrusted result said. */
export type Trust = Partial<
  Pick<
    Call,
    | 'complete'
    | 'repairs'
    | 'inReasoning'
    | 'fenced'
    | 'markerless'
    | 'afterMalformed'
    | 'afterResult'
  >
> & { readonly echoes?: boolean }

/** Tools that are not canonical, by name. */
export type OtherTools = ReadonlyMap<string, Access>

/** A call with its tool's own name and arguments, checked. */
export interface CheckedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly access: Access
}

/** The tool a name stands for. Names are exact: what looks like one is another. */
export function toolNamed(name: string, others?: OtherTools): string | undefined {
  if (canonicalTools.has(name) || others?.has(name) || isServerTool(name)) return name
  const alias = aliases.get(name)
  if (alias) return alias.tool
  const bare = name.startsWith(PROVIDER) ? name.slice(PROVIDER.length) : undefined
  return bare !== undefined && canonicalTools.has(bare) ? bare : undefined
}

/** Some models write `functions.Bash`. */
const PROVIDER = 'functions.'

/** `mcp__server__tool` */
export function isServerTool(name: string): boolean {
  return /^mcp__[A-Za-z0-9_-]+__[A-Za-z0-9_.-]+$/.test(name)
}

/** The call in its tool's own words; or what is wrong with it. */
export function checkCall(call: PermissionCall, others?: OtherTools): CheckedCall | string {
  if (typeof call.name !== 'string') return 'Expected the name of a tool.'
  const name = toolNamed(call.name, others)
  if (name === undefined) return `There is no tool ${JSON.stringify(call.name.slice(0, 80))}.`
  if (typeof call.args !== 'object' || call.args === null || Array.isArray(call.args))
    return `Expected the arguments of ${name} as an object.`
  const args = ownArguments(call)
  if (typeof args === 'string') return args
  const access = others?.get(name) ?? canonicalTools.get(name) ?? {}
  const missing = access.required?.find((key) => args[key] === undefined)
  if (missing !== undefined) return `Expected ${missing} among the arguments of ${name}.`
  const problem = access.arguments && wrongArgument(name, args, access.arguments)
  return problem ?? { name, args, access }
}

/** The arguments under the names that the tool itself has for them; or what is wrong with them. */
export function ownArguments({
  name,
  args: given,
}: PermissionCall): Record<string, unknown> | string {
  const { tool = name, arguments: renamed = {} } = aliases.get(name) ?? {}
  const args: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [key, value] of Object.entries(given)) {
    const own = Object.hasOwn(renamed, key) ? renamed[key]! : key
    if (own in args) return `${tool} was given ${own} twice.`
    args[own] = value
  }
  return args
}

function wrongArgument(
  name: string,
  args: Readonly<Record<string, unknown>>,
  types: NonNullable<Access['arguments']>,
): string | undefined {
  for (const [key, value] of Object.entries(args)) {
    const type = Object.hasOwn(types, key) ? types[key] : undefined
    if (!type) return `${name} has no argument ${JSON.stringify(key.slice(0, 80))}.`
    if (value !== undefined && !isOfType(value, type))
      return `Expected ${key} of ${name} to be ${EXPECTED[type]}.`
  }
  return undefined
}

const EXPECTED = {
  text: 'text',
  count: 'a whole number, not negative',
  flag: 'true or false',
  list: 'a list',
  any: 'anything',
}
