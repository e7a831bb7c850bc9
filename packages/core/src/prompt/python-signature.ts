import type { ToolDefinition } from '../protocol.ts'
import { isSchema } from '../schema/resolve.ts'
import { parametersOf } from './signature.ts'

/** A tool as a fenced Python function with a docstring and no body, as in the prompt of Command R and R+. */
export function pythonSignature(tool: ToolDefinition): string {
  const parameters = parametersOf(tool).map(({ name, schema, required, description = '' }) => {
    const type = required ? pythonType(schema) : `Optional[${pythonType(schema)}]`
    return [
      `${name}: ${type}${required ? '' : ' = None'}`,
      `\n        ${name} (${type}): ${description}`,
    ] as const
  })
  const described = parameters.map(([, line]) => line).join('')
  return `\`\`\`python
def ${tool.name}(${parameters.map(([taken]) => taken).join(', ')}) -> List[Dict]:
    """${tool.description ?? ''}${described && `\n\n    Args:${described}`}
    """
    pass
\`\`\``
}

const NAMES = new Map<unknown, string>([
  ['string', 'str'],
  ['number', 'float'],
  ['integer', 'int'],
  ['boolean', 'bool'],
])

function pythonType(schema: unknown): string {
  if (!isSchema(schema)) return 'Any'
  const { type, items, additionalProperties } = schema
  if (Array.isArray(type)) return `Union[${type.map((one) => pythonType({ type: one })).join(',')}]`
  if (type === 'array') return `List[${pythonType(items)}]`
  if (type === 'object') return `Dict[str, ${pythonType(additionalProperties)}]`
  return NAMES.get(type) ?? 'Any'
}
