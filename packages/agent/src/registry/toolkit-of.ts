import { ToolError } from '../tool/tool-error.ts'
import type { ToolContext } from '../tool/tool.ts'
import type { Method, Toolkit } from './toolkit.ts'

/** An object that tells which of its methods there are for a model. */
export interface DescribedInstance {
  readonly id: string
  readonly name?: string
  getMetadata(): { readonly methods: readonly Method[] }
}

/** The toolkit that such an object is. A method that it has and does not tell of is none. */
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

type Run = (this: object, args: unknown, context: ToolContext) => unknown

/** What every object has is no method of this one. */
function methodOf(instance: object, name: string): Run {
  const found: unknown = Reflect.get(instance, name)
  if (typeof found !== 'function' || name in Object.prototype)
    throw new ToolError('not_found', `There is no method ${JSON.stringify(name)}.`, {
      code: 'unknown_method',
    })
  return found as Run
}
