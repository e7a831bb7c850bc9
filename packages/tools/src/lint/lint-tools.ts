// Folder: Checks of tool definitions.
import { isObject } from '@toolglot/agent/internal'
import { canonicalTools } from '@toolglot/permissions'
import type { Schema, ToolDefinition } from '@toolglot/core'

const VAGUE_NAMES = new Set(
  `action api call check command create data delete do edit exec execute fetch find fn foo func
  function get handle handler helper info input item list load make manage misc object open operation
  output perform process query read remove request run save search send set stuff task test thing tool
  update use util utils work write`.split(/\s+/),
)

const FILLERS = new Set([
  'blah',
  'etc',
  'misc',
  'something',
  'stuff',
  'thing',
  'things',
  'whatever',
])

const SMALL_WORDS = new Set(
  'a an and for function in it of on or the this to tool parameter argument value with'.split(' '),
)

/** A problem in a tool's definition that makes it harder for models to use. */
export interface LintProblem {
  readonly tool: string
  readonly rule: LintRule
  /** Path of the parameter, such as `options.depth`. */
  readonly parameter?: string
  readonly message: string
}

/** The rule that a definition breaks. */
export type LintRule =
  | 'name-form'
  | 'name-vague'
  | 'name-twice'
  | 'description-missing'
  | 'description-vague'
  | 'parameters-missing'
  | 'parameter-undescribed'
  | 'parameter-untyped'
  | 'parameter-vague'
  | 'required-unknown'

/** Checks the names, descriptions and parameters of tools. */
export function lintTools(tools: readonly ToolDefinition[]): LintProblem[] {
  return [...tools.flatMap(lintTool), ...confusableNames(tools)]
}

function lintTool({ name, description = '', parameters }: ToolDefinition): LintProblem[] {
  const problems: LintProblem[] = []
  const add = (rule: LintRule, message: string, parameter?: string): void => {
    problems.push({ tool: name, rule, message, parameter })
  }
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    add(
      'name-form',
      'The name must have 1 to 64 letters, digits, "_" or "-": most models accept nothing else.',
    )
  if (!canonicalTools.has(name) && isVagueName(name))
    add('name-vague', `${name} does not say what it acts on. A name such as read_file does.`)
  if (description.trim() === '') add('description-missing', 'The description is missing.')
  else if (isVagueDescription(description, name))
    add('description-vague', 'The description must explain what the tool does.')

  if (!isObject(parameters?.['properties']))
    add('parameters-missing', 'The parameters need properties. Use {} if there are none.')
  else lintProperties(parameters, '', add, 0)
  return problems
}

function lintProperties(
  schema: Schema,
  within: string,
  add: (rule: LintRule, message: string, parameter: string) => void,
  depth: number,
): void {
  // Models don't read deeper schemas either.
  if (depth > 8) return
  const properties = schema['properties']
  if (isObject(properties)) {
    for (const [key, value] of Object.entries(properties)) lintParameter(within + key, value)
    const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
    for (const key of required)
      if (typeof key !== 'string' || !Object.hasOwn(properties, key))
        add(
          'required-unknown',
          'It is required, but missing from the properties.',
          within + String(key),
        )
  }
  const items = schema['items']
  if (isObject(items)) lintProperties(items, `${within.replace(/\.$/, '')}[].`, add, depth + 1)

  function lintParameter(path: string, value: unknown): void {
    if (!isObject(value)) return add('parameter-untyped', 'The schema is missing.', path)
    const description = value['description']
    if (typeof description !== 'string' || description.trim() === '')
      add('parameter-undescribed', 'The description is missing.', path)
    else if (isVagueDescription(description, path))
      add('parameter-vague', 'The description only repeats the name.', path)
    if (!TYPED.some((key) => key in value)) add('parameter-untyped', 'The type is missing.', path)
    lintProperties(value, `${path}.`, add, depth + 1)
  }
}

const TYPED = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref']

/** Finds names that models confuse, such as `readFile` and `read_file`. */
function confusableNames(tools: readonly ToolDefinition[]): LintProblem[] {
  const seen = new Map<string, string>()
  return tools.flatMap(({ name }) => {
    const bare = name.toLowerCase().replaceAll(/[_-]/g, '')
    const other = seen.get(bare)
    seen.set(bare, name)
    if (other === undefined) return []
    return [{ tool: name, rule: 'name-twice', message: `Easily confused with ${other}.` }]
  })
}

/** True if every word of a name is generic, such as `read` or `data`. */
function isVagueName(name: string): boolean {
  const words = wordsOf(name)
  return words.length > 0 && words.every((word) => VAGUE_NAMES.has(word))
}

/**
 * True if a description is a single word, contains a filler such as `stuff`, or only repeats the
 * name.
 */
function isVagueDescription(description: string, name: string): boolean {
  const words = wordsOf(description)
  const own = new Set(wordsOf(name))
  return (
    words.some((word) => FILLERS.has(word)) ||
    words.length < 2 ||
    words.every((word) => own.has(word) || SMALL_WORDS.has(word))
  )
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
