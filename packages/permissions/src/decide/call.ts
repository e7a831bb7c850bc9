import { type AliasSettings, renameArguments } from '../alias/alias.ts'
import { type ToolAccess, isOfType } from './access.ts'
import { type AccessOf, resolve, type Resolved } from './resolve.ts'

/** A call as permissions see it: what it is, and how sure it is that the model meant it. */
export interface PermissionCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly trust?: Trust
}

/** What a parser knows about how a call was written. A call that was not written plainly asks first. */
export interface Trust {
  /** Whether the whole call was seen. A call that was cut off never runs. */
  readonly complete?: boolean
  /** The names of the repairs that were needed to read it. */
  readonly repairs?: readonly string[]
  /** It was inside reasoning that never closed. */
  readonly inReasoning?: true
  /** It was inside a code fence or a code span. */
  readonly fenced?: true
  /** It had no marks of its own: bare JSON, a bare function call. */
  readonly markerless?: true
  /** It began inside a block that could not be read. */
  readonly afterMalformed?: true
  /** It follows a tool result that the model made up. */
  readonly afterResult?: true
  /** Its arguments repeat text from an untrusted result. */
  readonly echoes?: boolean
}

/** Tools that are not canonical, by name; and names that are aliases of tools. */
export type OtherTools = ReadonlyMap<string, ToolAccess>

/** A call with its tool's own name and arguments, checked. */
export interface CheckedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly access: ToolAccess
}

/** The call in its tool's own words; or what is wrong with it. */
export function checkCall(
  call: PermissionCall,
  accessOf: AccessOf,
  configured: AliasSettings = {},
): CheckedCall | string {
  if (typeof call.name !== 'string') return 'Expected the name of a tool.'
  const resolved = resolve(call.name, accessOf)
  if (resolved === undefined) return `There is no tool ${JSON.stringify(call.name.slice(0, 80))}.`
  if (typeof call.args !== 'object' || call.args === null || Array.isArray(call.args))
    return `Expected the arguments of ${resolved.name} as an object.`
  const args = toolArguments(call.args, resolved, configured)
  return typeof args === 'string' ? args : checkArguments(resolved, args)
}

/** A call that is in its tool's own words; or what is wrong with its arguments. */
export function checkArguments(
  { name, access }: Pick<Resolved, 'name' | 'access'>,
  args: Readonly<Record<string, unknown>>,
): CheckedCall | string {
  const missing = access.required?.find((key) => args[key] === undefined)
  if (missing !== undefined) return `Expected ${missing} among the arguments of ${name}.`
  const problem = access.arguments && wrongArgument(name, args, access.arguments)
  return problem ?? { name, args, access }
}

/** The arguments in the tool's own words; or what is wrong with them. */
export function toolArguments(
  args: PermissionCall['args'],
  { name, access, alias }: Resolved,
  configured: AliasSettings,
): Record<string, unknown> | string {
  return alias?.toTool?.(args, configured) ?? renameArguments(args, name, access.otherNames)
}

function wrongArgument(
  name: string,
  args: Readonly<Record<string, unknown>>,
  types: NonNullable<ToolAccess['arguments']>,
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

/** An argument that is text. */
export function textArgument(
  args: Readonly<Record<string, unknown>>,
  key: string | undefined,
): string | undefined {
  const value = key === undefined ? undefined : args[key]
  return typeof value === 'string' ? value : undefined
}
