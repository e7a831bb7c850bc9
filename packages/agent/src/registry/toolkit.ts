import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import { asTool } from '../tool/any-tool.ts'
import { type Tool, tool, type ToolContext } from '../tool/tool.ts'
import { ToolError } from '../tool/tool-error.ts'
import { type MethodParameter, schemaOfParameters } from './method-parameters.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A group of methods. Each method that a model may call is a tool named `id_method`, or `id_vcpCommand` if it has one. */
export interface Toolkit {
  readonly id: string
  /** The name for people. */
  readonly name?: string
  readonly methods: readonly Method[]
  /** Runs methods that have no `execute` of their own. */
  execute?(method: string, args: Arguments, context: ToolContext): unknown
}

/** A method of a toolkit. */
export interface Method extends Partial<
  Pick<Tool, 'access' | 'idempotent' | 'repeatable' | 'dangerous' | 'timeout' | 'show'>
> {
  readonly name: string
  readonly description?: string
  /** A list, JSON Schema, or a schema from zod, valibot, arktype or another Standard Schema library. */
  readonly parameters?: readonly MethodParameter[] | Schema | StandardSchemaV1
  /** A model can call the method only if this is `true`. */
  readonly agentCallable?: boolean
  readonly protocolConfig?: {
    /** The name of the method in prompts and calls, such as VCP's `command`. Registries also find it by its own name. */
    readonly vcpCommand?: string
  }
  /** It changes nothing, and reads nothing that needs permission. */
  readonly readOnly?: boolean
  execute?(args: Arguments, context: ToolContext): unknown
}

/** A method and the tool that it became. */
export interface MethodTool {
  readonly method: Method
  readonly tool: Tool
  readonly aliases: readonly string[]
}

/** Converts the methods of a toolkit that a model may call to tools. */
export function methodTools(toolkit: Toolkit): readonly MethodTool[] {
  return toolkit.methods.filter(isCallable).map((method) => {
    const tool = methodTool(toolkit, method)
    const ownName = `${toolkit.id}_${method.name}`
    return { method, tool, aliases: tool.name === ownName ? [] : [ownName] }
  })
}

/** Whether a model may call a method. */
export function isCallable({ agentCallable }: Method): boolean {
  return agentCallable === true
}

/** The name of the tool for a method. */
export function toolNameOf({ id }: Toolkit, { name, protocolConfig }: Method): string {
  return `${id}_${protocolConfig?.vcpCommand ?? name}`
}

/** The parameters of a method as a schema. */
export function parametersOf({ parameters = [] }: Method): Schema | StandardSchemaV1 {
  return isList(parameters) ? schemaOfParameters(parameters) : parameters
}

function isList(parameters: Method['parameters']): parameters is readonly MethodParameter[] {
  return Array.isArray(parameters)
}

function methodTool(toolkit: Toolkit, method: Method): Tool {
  const { name, description, protocolConfig: _, agentCallable: __, ...rest } = method
  if (!method.execute && !toolkit.execute)
    throw new TypeError(
      `Expected the method ${name} of the toolkit ${toolkit.id}, or the toolkit, to have execute().`,
    )
  return asTool(
    tool({
      ...rest,
      name: toolNameOf(toolkit, method),
      toolkit: toolkit.id,
      description: description ?? '',
      parameters: parametersOf(method) as Schema,
      execute(args, context) {
        // It may have changed since the tool was created.
        if (!isCallable(method))
          throw new ToolError('permission_denied', `${name} cannot be called by a model.`, {
            code: 'not_callable',
          })
        return method.execute
          ? method.execute(args, context)
          : toolkit.execute!(name, args, context)
      },
    }),
  )
}
