import type { ToolDefinition } from '../protocol.ts'
import { parametersOf } from './signature.ts'

/** A tool as the head and docstring of a Python function, as in the prompt of Seed-OSS. */
export function pythonDef(tool: ToolDefinition): string {
  const parameters = parametersOf(tool).map(({ name, schema, required, description = '' }) => {
    const type = typeName(schema['type'])
    return [
      `${name}: ${type}`,
      `\n    - ${name} (${type}) [${required ? '必填' : '选填'}]: ${description}`,
    ] as const
  })
  const described = parameters.map(([, line]) => line).join('')
  return `Function:
def ${tool.name}(${parameters.map(([taken]) => taken).join(',')}):
    """
    ${(tool.description ?? '').trim()}

${described && `    Args:${described}`}

    """`
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'int',
  integer: 'int',
  boolean: 'bool',
  array: 'list',
}

function typeName(type: unknown): string {
  return (typeof type === 'string' && Object.hasOwn(NAMES, type) && NAMES[type]) || 'Any'
}
