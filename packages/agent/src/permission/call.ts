import type { Call } from '@toolglot/core'
import { type Alias, type Configured, renamed } from '../alias/alias.ts'
import { aliases } from '../alias/aliases.ts'
import { type Access, isOfType } from './access.ts'
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

/** What a name stands for: a tool, maybe by an alias. */
export interface Named {
  readonly tool: string
  readonly alias?: Alias
}

/** The tool a name stands for. Names are exact: what looks like one is another. */
export function toolNamed(name: string, others?: OtherTools): Named | undefined {
  if (canonicalTools.has(name) || others?.has(name) || isServerTool(name)) return { tool: name }
  const bare = name.startsWith(PROVIDER) ? name.slice(PROVIDER.length) : name
  const alias = aliases.get(bare)
  if (alias) return { tool: alias.tool, alias }
  return canonicalTools.has(bare) ? { tool: bare } : undefined
}

/** Some models write `functions.Bash`. */
const PROVIDER = 'functions.'

/** `mcp__server__tool` */
export function isServerTool(name: string): boolean {
  return /^mcp__[A-Za-z0-9_-]+__[A-Za-z0-9_.-]+$/.test(name)
}

/** The call in its tool's own words; or what is wrong with it. */
export function checkCall(
  call: PermissionCall,
  others?: OtherTools,
  configured: Configured = {},
): CheckedCall | string {
  if (typeof call.name !== 'string') return 'Expected the name of a tool.'
  const named = toolNamed(call.name, others)
  if (named === undefined) return `There is no tool ${JSON.stringify(call.name.slice(0, 80))}.`
  const { tool: name } = named
  if (typeof call.args !== 'object' || call.args === null || Array.isArray(call.args))
    return `Expected the arguments of ${name} as an object.`
  const args = ownArguments(call.args, named, configured)
  if (typeof args === 'string') return args
  const access = others?.get(name) ?? canonicalTools.get(name) ?? {}
  const missing = access.required?.find((key) => args[key] === undefined)
  if (missing !== undefined) return `Expected ${missing} among the arguments of ${name}.`
  const problem = access.arguments && wrongArgument(name, args, access.arguments)
  return problem ?? { name, args, access }
}

/** The arguments in the tool's own words; or what is wrong with them. */
export function ownArguments(
  args: PermissionCall['args'],
  { tool, alias }: Named,
  configured: Configured,
): Record<string, unknown> | string {
  return alias
    ? alias.toTool(args, configured)
    : renamed(args, tool, canonicalTools.get(tool)?.otherNames)
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
