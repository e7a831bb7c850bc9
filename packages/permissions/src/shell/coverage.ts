import type { SyntaxNode } from 'unbash'
import { forEachChild } from 'unbash'

/** What may occur between the words of a script: whitespace, operators, keywords, comments. */
const BETWEEN =
  /^(?:[\s;&|(){}!]|\\\n|#[^\n]*(?:\n|$)|\[\[|\]\]|(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|time|coproc|-p|--)(?![\w-]))*$/

/** What nothing is expanded in: no quotes, no whitespace, and only a `$` that stands for itself. */
const PLAIN = /^(?:[^\s$`'"\\]|\\[^]|\$(?![\w{(['"@*#?$!-]))*$/

/** Whether every character of a script belongs to a parsed node, so that nothing is hidden between them or in one. */
export function covers(script: SyntaxNode, source: string, start: number, end: number): boolean {
  const leaves: Leaf[] = []
  collect(script, leaves)
  leaves.sort((one, other) => one.pos - other.pos)
  let at = start
  let open = 0
  for (const leaf of [...leaves, { pos: end, end, hides: false }]) {
    const between = leaf.pos > at ? source.slice(at, leaf.pos) : ''
    if (leaf.hides || !BETWEEN.test(between)) return false
    if (/[(){}]/.test(between)) open += opened(between)
    at = Math.max(at, leaf.end)
  }
  return open <= 0
}

/** How many brackets a piece opens, less those that it closes. The one after a `case` pattern was never opened. */
function opened(between: string): number {
  let open = 0
  for (const character of between.replace(/#[^\n]*/g, '')) {
    if (character === '(' || character === '{') open++
    else if (character === ')' || character === '}') open--
  }
  return open
}

const LEAVES = new Set([
  'Word',
  'Assignment',
  'Redirect',
  'HereString',
  'HereDoc',
  'HereDocBody',
  'TestCommand',
  'ArithmeticCommand',
  'ArithmeticFor',
])

interface Leaf {
  readonly pos: number
  readonly end: number
  /** The parser did not look into it. */
  readonly hides: boolean
}

function collect(node: SyntaxNode, leaves: Leaf[]): void {
  // Some words have no parts although they are not plain: `a[ ]$(b)`.
  const hides = node.type === 'Word' && !node.parts && !PLAIN.test(node.text)
  if (LEAVES.has(node.type)) leaves.push({ pos: node.pos, end: node.end, hides })
  if (node.type === 'HereDoc') {
    leaves.push({ pos: node.body.pos, end: node.closing?.end ?? node.body.end, hides: false })
    return
  }
  if (node.type === 'ArithmeticFor') return forEachChild(node, (child) => collect(child, leaves))
  if (!LEAVES.has(node.type)) forEachChild(node, (child) => collect(child, leaves))
}
