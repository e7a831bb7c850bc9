// Finds possible mutations in a source, and compiles many mutants into it, each behind a condition
// that the runner switches. Code outside functions runs only once, when its file loads, so it is
// not mutated.
import { parseAst } from 'rolldown/parseAst'

/**
 * @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node
 *
 * @typedef {object} Mutant
 * @property {string} key which stays the same while lines around it change
 * @property {string} kind
 * @property {string} path
 * @property {number} line
 * @property {number} start
 * @property {number} end
 * @property {string} before the source between `start` and `end`
 * @property {string} after the source of the mutant
 * @property {boolean} isStatement
 */

/** @type {Record<string, [kind: string, after: string]>} */
const OPERATORS = {
  '<': ['boundary', '<='],
  '<=': ['boundary', '<'],
  '>': ['boundary', '>='],
  '>=': ['boundary', '>'],
  '===': ['condition', '!=='],
  '!==': ['condition', '==='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
}
/** @type {Record<string, string>} */
const METHODS = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  max: 'min',
  min: 'max',
}
const CONDITIONS = new Set([
  'IfStatement',
  'ConditionalExpression',
  'WhileStatement',
  'DoWhileStatement',
])
const LOOPS = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
])
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
/** Types around an expression. */
const WRAPPERS = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

/**
 * @param {string} path
 * @param {string} source
 * @returns {Node}
 */
const parsed = (path, source) => /** @type {any} */ (parseAst(source, { lang: 'ts' }, path))

/**
 * All possible mutations in a source.
 *
 * @param {string} path
 * @param {string} source
 * @returns {Mutant[]}
 */
export function mutantsIn(path, source) {
  /** @type {Mutant[]} */
  const found = []
  /** @type {Map<string, number>} */
  const seen = new Map()
  visit(parsed(path, source), false)
  return found

  /**
   * @param {Node} node
   * @param {string} kind
   * @param {string} after
   * @param {boolean} [isStatement]
   */
  function add({ start, end }, kind, after, isStatement = false) {
    const before = source.slice(start, end)
    if (before === after) return
    const what = `${path} ${kind} ${before} => ${after}`
    const count = (seen.get(what) ?? 0) + 1
    seen.set(what, count)
    const line = source.slice(0, start).split('\n').length
    found.push({
      key: `${what} #${count}`,
      kind,
      path,
      line,
      start,
      end,
      before,
      after,
      isStatement,
    })
  }

  /**
   * @param {Node} node
   * @param {boolean} inside whether a function contains it
   */
  function visit(node, inside) {
    if (inside) mutate(node)
    const within = inside || FUNCTIONS.has(node.type)
    for (const child of childrenOf(node)) visit(child, within)
  }

  /** @param {Node} node */
  function mutate(node) {
    const text = (/** @type {Node} */ { start, end }) => source.slice(start, end)
    const isComparison = /^[!=]==$/.test(node.test?.operator)
    if (CONDITIONS.has(node.type) && !isComparison)
      add(node.test, 'condition', `!(${text(node.test)})`)
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression': {
        if (node.operator === '??') add(node, 'logic', text(node.left))
        const [kind, after] = OPERATORS[node.operator] ?? []
        const isText = [node.left, node.right].some(
          (side) => side.type === 'TemplateLiteral' || typeof side.value === 'string',
        )
        if (!kind || !after || (kind === 'arithmetic' && isText)) return
        return add(node, kind, `(${text(node.left)}) ${after} (${text(node.right)})`)
      }
      case 'UpdateExpression': {
        const other = node.operator === '++' ? '--' : '++'
        const target = text(node.argument)
        return add(node, 'arithmetic', node.prefix ? other + target : target + other)
      }
      case 'Literal':
        if (typeof node.value === 'boolean') add(node, 'boolean', String(!node.value))
        if (typeof node.value === 'number') add(node, 'number', String(node.value + 1))
        if (typeof node.value === 'string') add(node, 'text', node.value ? "''" : "'mutated'")
        return
      case 'TemplateLiteral':
        return add(node, 'text', '``')
      case 'ExpressionStatement':
        return add(node, 'removed', '', true)
      case 'BreakStatement':
      case 'ContinueStatement':
        return add(node, 'removed', '', true)
      case 'ReturnStatement':
        if (node.argument && text(node.argument) !== 'undefined')
          add(node.argument, 'returned', 'undefined')
        return
      case 'ArrowFunctionExpression':
        if (node.body.type !== 'BlockStatement' && text(node.body) !== 'undefined')
          add(node.body, 'returned', 'undefined')
        return
      case 'CallExpression': {
        const { property, computed } = node.callee
        const other = computed ? undefined : METHODS[property?.name]
        if (!other || !Object.hasOwn(METHODS, property.name)) return
        const rest = source.slice(property.end, node.end)
        return add(node, 'method', source.slice(node.start, property.start) + other + rest)
      }
      case 'ChainExpression':
        for (const link of linksOf(node.expression)) {
          const at = source.indexOf('?.', (link.object ?? link.callee).end)
          const dot = link.object && !link.computed ? '.' : ''
          const after = source.slice(node.start, at) + dot + source.slice(at + 2, node.end)
          add(node, 'chain', after)
        }
    }
  }
}

/**
 * The optional links of a chain such as `a?.b?.()`.
 *
 * @param {Node} node
 * @returns {Node[]}
 */
function linksOf(node) {
  if (!node) return []
  const inner = linksOf(
    node.object ?? node.callee ?? (WRAPPERS.has(node.type) ? node.expression : undefined),
  )
  return node.optional && (node.object || node.callee) ? [...inner, node] : inner
}

/**
 * The nodes in a node, without types, and without names that aren't expressions, such as names of
 * properties and import specifiers.
 *
 * @param {Node} node
 * @returns {Node[]}
 */
function childrenOf(node) {
  if (node.type.startsWith('TS')) return WRAPPERS.has(node.type) ? [node.expression] : []
  if (node.type === 'TaggedTemplateExpression') return [node.tag, ...node.quasi.expressions]
  if (/^(ImportDeclaration|ExportAll)/.test(node.type) || node.directive || node.declare) return []
  return Object.entries(node)
    .filter(
      ([name]) => !(name === 'key' && !node.computed) && !/^(source|typeArg|typeParam)/.test(name),
    )
    .flatMap(([, child]) => child)
    .filter((child) => typeof child?.type === 'string' && typeof child.start === 'number')
}

/**
 * A source with mutants in it. Loops count their rounds, so that endless ones end. With `forgets`,
 * its caches are emptied when another mutant is switched on.
 *
 * @param {string} path
 * @param {string} source
 * @param {readonly (Mutant & { id: number })[]} mutants
 * @param {boolean} forgets
 * @returns {string}
 */
export function withMutants(path, source, mutants, forgets) {
  const program = parsed(path, source)
  return source.slice(0, program.start) + print(program, 0) + source.slice(program.end)

  /**
   * @param {Node} node
   * @param {number} depth
   * @returns {string}
   */
  function print(node, depth) {
    let text = ''
    let at = node.start
    const inner = depth + (FUNCTIONS.has(node.type) || node.type === 'ClassBody' ? 1 : 0)
    for (const child of childrenOf(node).sort((a, b) => a.start - b.start)) {
      // A shorthand property is its own key and value.
      if (child.start < at) continue
      const body = print(child, inner)
      text += source.slice(at, child.start)
      text +=
        LOOPS.has(node.type) && child === node.body
          ? `{ globalThis.mutation.tick(); ${body} }`
          : body
      at = child.end
    }
    const last = text + source.slice(at, node.end)
    return switched(node, forgets && depth === 0 ? cached(node, last) : last)
  }

  /**
   * @param {Node} node
   * @param {string} text
   */
  function switched({ type, start, end }, text) {
    let result = text
    for (const mutant of mutants) {
      if (mutant.start !== start || mutant.end !== end) continue
      if (mutant.isStatement !== type.endsWith('Statement')) continue
      if (mutant.isStatement)
        result = `{ if (!globalThis.mutation.is(${mutant.id})) { ${result} } }`
      else result = `(globalThis.mutation.is(${mutant.id}) ? (${mutant.after}) : (${result}))`
    }
    // Without a semicolon before it, a bracket would continue the last line.
    return type === 'ExpressionStatement' && result !== source.slice(start, end)
      ? `{ ${result} }`
      : result
  }
}

/**
 * Initially empty collections at the top of a file are caches.
 *
 * @param {Node} node
 * @param {string} text
 */
function cached({ type, callee, arguments: given }, text) {
  if (type !== 'NewExpression' || given.length > 0) return text
  return /^(Weak)?(Map|Set)$/.test(callee.name) ? `globalThis.mutation.cache(${text})` : text
}
