import { isStringify } from './apply.ts'
import { drawn } from './known-holes.ts'
import { type Problems, quoted } from './problems.ts'
import { unknownName } from './unknown-name.ts'
import type { Declaration, Node, Pattern, Program } from './syntax.ts'

/** The names declared in a part of a file and around it. */
class Names {
  readonly #own: Set<string>
  readonly #outer: Names | undefined
  /** The number of surrounding parts, all of which are searched for a name. */
  readonly depth: number

  constructor(own: Iterable<string>, outer?: Names) {
    this.#own = new Set(own)
    this.#outer = outer
    this.depth = outer ? outer.depth + 1 : 0
  }

  get size(): number {
    return this.#own.size
  }

  has(name: string): boolean {
    return this.#own.has(name) || (this.#outer?.has(name) ?? false)
  }

  all(): string[] {
    return [...(this.#outer?.all() ?? []), ...this.#own]
  }
}

/** Reports every use of an undeclared name, even in functions that are never called. */
export function reportUnknownNames(
  program: Program,
  imported: readonly string[],
  problems: Problems,
): void {
  const names = new Names([...imported, ...program.declared.map(({ name }) => name)])
  declarations(program.declared, names, problems)
  if (program.default) expression(program.default, names, problems)
  for (const { name, from, to } of program.exported.values())
    expression({ type: 'name', name, from, to }, names, problems)
}

function declarations(declared: readonly Declaration[], names: Names, problems: Problems): void {
  for (const { value } of declared) expression(value, names, problems)
}

function expression(node: Node, names: Names, problems: Problems): void {
  problems.count(1 + names.depth)
  if (node.type === 'name') {
    if (!names.has(node.name)) problems.add(() => unknown(node.name, names, problems), node)
    return
  }
  if (node.type === 'function') {
    const own = [...node.parameters.flatMap(namesIn), ...node.declared.map(({ name }) => name)]
    const inner = new Names(own, names)
    if (inner.size < own.length) problems.add('This function declares a name twice.', node)
    declarations(node.declared, inner, problems)
    return expression(node.result, inner, problems)
  }
  const isPlainCall = node.type === 'call' && isStringify(node.of, names)
  for (const each of innerOf(node)) {
    if (!(isPlainCall && each === node.of)) expression(each, names, problems)
  }
}

function unknown(name: string, names: Names, problems: Problems): string {
  if (drawn.has(name))
    return `${quoted(name)} is not imported: \`import { ${name} } from '@toolglot/core/draw'\`.`
  if (name === 'JSON') return 'Only `JSON.stringify(…)` of `JSON` is supported.'
  return unknownName(name, 'allowed in a protocol file', names.all(), (amount) =>
    problems.count(amount),
  )
}

function namesIn(pattern: Pattern): string[] {
  return 'name' in pattern ? [pattern.name] : pattern.members.map(({ name }) => name)
}

function innerOf(node: Node): readonly Node[] {
  switch (node.type) {
    case 'template':
      return node.tag ? [node.tag, ...node.holes] : node.holes
    case 'list':
      return node.items.map(({ value }) => value)
    case 'object':
      return node.members.map(({ value }) => value)
    case 'member':
      return [node.of, node.name]
    case 'call':
      return [node.of, ...node.args]
    case 'choice':
      return [node.test, node.yes, node.no]
    case 'chain':
      return node.parts
    case 'compare':
      return [node.left, node.right]
    case 'not':
    case 'minus':
    case 'optional':
      return [node.of]
    default:
      return []
  }
}
