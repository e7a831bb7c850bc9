import type { Tool } from '../protocol.ts'
import { parametersOf } from './signature.ts'

/** A tool as the head and docstring of a Python function, as Seed-OSS is told of it. */
export function pythonDef(tool: Tool): string {
  const parameters = parametersOf(tool).map(({ name, schema, required, description = '' }) => ({
    taken: `${name}: ${typeName(schema['type'])}`,
    told: `    - ${name} (${typeName(schema['type'])}) [${required ? '必填' : '选填'}]: ${description}`,
  }))
  const told = parameters.map((one) => `\n${one.told}`).join('')
  return `Function:
def ${tool.name}(${parameters.map((one) => one.taken).join(',')}):
    """
    ${(tool.description ?? '').trim()}

${told && `    Args:${told}`}

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
