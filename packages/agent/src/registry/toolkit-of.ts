import { ToolError } from '../tool/tool-error.ts'
import type { ToolContext } from '../tool/tool.ts'
import type { Method, Toolkit } from './toolkit.ts'

/** An object that describes its methods for a model. */
export interface DescribedInstance {
  readonly id: string
  readonly name?: string
  getMetadata(): { readonly methods: readonly Method[] }
}

/** Converts such an object to a toolkit. Only methods that it describes can be called. */
export function toToolkit(instance: DescribedInstance): Toolkit {
  const { id, name } = instance
  const { methods } = instance.getMetadata()
  return {
    id,
    ...(name !== undefined && { name }),
    methods,
    execute(method, args, context) {
      return methodOf(instance, method).call(instance, args, context)
    },
  }
}

type MethodFunction = (this: object, args: unknown, context: ToolContext) => unknown

/** Methods that every object inherits do not count. */
function methodOf(instance: object, name: string): MethodFunction {
  const found: unknown = Reflect.get(instance, name)
  if (typeof found !== 'function' || name in Object.prototype)
    throw new ToolError('not_found', `There is no method ${JSON.stringify(name)}.`, {
      code: 'unknown_method',
    })
  return found as MethodFunction
}
