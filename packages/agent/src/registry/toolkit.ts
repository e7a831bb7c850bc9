import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import { asTool } from '../tool/any-tool.ts'
import { type Tool, tool, type ToolContext } from '../tool/tool.ts'
import { ToolError } from '../tool/tool-error.ts'

type Arguments = Readonly<Record<string, unknown>>

/**
 * A group of methods. Each method that a model can call becomes a tool named `id_method`, or
 * `id_vcpCommand` if it has one.
 */
export interface Toolkit {
  readonly id: string
  /** The display name. */
  readonly name?: string
  readonly methods: readonly Method[]
  /** Runs methods that have no `execute`. */
  execute?(method: string, args: Arguments, context: ToolContext): unknown
}

/** A method of a toolkit. */
export interface Method extends Partial<
  Pick<Tool, 'access' | 'idempotent' | 'repeatable' | 'dangerous' | 'timeout' | 'show'>
> {
  readonly name: string
  readonly description?: string
  /**
   * A list of parameters, a JSON Schema, or a schema from zod, valibot, arktype or another Standard
   * Schema library.
   */
  readonly parameters?: readonly MethodParameter[] | Schema | StandardSchemaV1
  /** Must be `true` for a model to call the method. */
  readonly agentCallable?: boolean
  readonly protocolConfig?: {
    /**
     * The name of the method in prompts and calls, such as VCP's `command`. Registries also accept
     * its own name.
     */
    readonly vcpCommand?: string
  }
  /** The method changes nothing and needs no permission to read. */
  readonly readOnly?: boolean
  execute?(args: Arguments, context: ToolContext): unknown
}

/** A method and its tool. */
interface MethodTool {
  readonly method: Method
  readonly tool: Tool
  readonly aliases: readonly string[]
}

/** Converts the methods that a model can call to tools. */
export function methodTools(toolkit: Toolkit): readonly MethodTool[] {
  return toolkit.methods.filter(isCallable).map((method) => {
    const tool = methodTool(toolkit, method)
    const ownName = `${toolkit.id}_${method.name}`
    return { method, tool, aliases: tool.name === ownName ? [] : [ownName] }
  })
}

/** True if a model can call a method. */
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
      `The method ${name} of the toolkit ${toolkit.id} requires execute(), its own or the toolkit's.`,
    )
  return asTool(
    tool({
      ...rest,
      name: toolNameOf(toolkit, method),
      toolkit: toolkit.id,
      description: description ?? '',
      parameters: parametersOf(method) as Schema,
      execute(args, context) {
        // Checked again, because it may have changed since the tool was created.
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

/** A parameter of a method. */
export interface MethodParameter {
  readonly name: string
  /**
   * A JSON Schema type, `int`, `float`, `bool`, `any` or `T[]`. Other strings become part of the
   * description.
   */
  readonly type?: string
  readonly description?: string
  readonly required?: boolean
  readonly default?: unknown
  readonly enum?: readonly unknown[]
}

/** Converts a list of parameters to JSON Schema. */
function schemaOfParameters(parameters: readonly MethodParameter[]): Schema {
  const properties = Object.fromEntries(
    parameters.map((parameter) => [parameter.name, schemaOfParameter(parameter)]),
  )
  if (Object.keys(properties).length < parameters.length)
    throw new TypeError('Two parameters have the same name.')
  return {
    type: 'object',
    properties,
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

function schemaOfParameter(parameter: MethodParameter): Schema {
  const { type = 'any', description, enum: choices, default: value } = parameter
  const known = schemaOfType(type.trim())
  const text = [description, known ? undefined : `Type: ${type}`].filter(Boolean).join(' ')
  return {
    ...known,
    ...(text !== '' && { description: text }),
    ...(choices && { enum: [...choices] }),
    ...(value !== undefined && { default: value }),
  }
}

function schemaOfType(type: string): Schema | undefined {
  if (type.endsWith('[]')) {
    const items = schemaOfType(type.slice(0, -2))
    return items && { type: 'array', items }
  }
  const name = type.toLowerCase()
  if (name === 'any' || name === 'unknown') return {}
  return Object.hasOwn(TYPES, name) ? { type: TYPES[name] } : undefined
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  text: 'string',
  number: 'number',
  float: 'number',
  double: 'number',
  integer: 'integer',
  int: 'integer',
  boolean: 'boolean',
  bool: 'boolean',
  array: 'array',
  list: 'array',
  object: 'object',
  dict: 'object',
  null: 'null',
}

/** An object that describes its own methods. */
export interface DescribedInstance {
  readonly id: string
  readonly name?: string
  getMetadata(): { readonly methods: readonly Method[] }
}

/**
 * Converts an object that describes its methods to a toolkit. Only described methods can be called.
 */
export function toToolkit(instance: DescribedInstance): Toolkit {
  const { id, name } = instance
  const { methods } = instance.getMetadata()
  return {
    id,
    name,
    methods,
    execute(method, args, context) {
      return methodOf(instance, method).call(instance, args, context)
    },
  }
}

type MethodFunction = (this: object, args: unknown, context: ToolContext) => unknown

/** Methods inherited by all objects are ignored. */
function methodOf(instance: object, name: string): MethodFunction {
  const found: unknown = Reflect.get(instance, name)
  if (typeof found !== 'function' || name in Object.prototype)
    throw new ToolError('not_found', `There is no method ${JSON.stringify(name)}.`, {
      code: 'unknown_method',
    })
  return found as MethodFunction
}
