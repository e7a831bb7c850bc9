import type { SyntaxNode, Word } from 'unbash'
import { forEachChild } from 'unbash'

/** Text that may occur between the words of a script: whitespace, operators, keywords, comments. */
const BETWEEN =
  /^(?:[\s;&|(){}!]|\\\n|#[^\n]*(?:\n|$)|\[\[|\]\]|(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|time|coproc|-p|--)(?![\w-]))*$/

/** Text without expansions: no quotes, no metacharacters, and only literal `$`. */
const PLAIN = /^(?:[^\s$`'"\\<>()|&;]|\\[^]|\$(?![\w{(['"@*#?$!-]))*$/

/**
 * True if every character of a script belongs to a parsed node, so that nothing is hidden between
 * nodes or inside one.
 */
export function covers(script: SyntaxNode, source: string, start: number, end: number): boolean {
  const leaves: Leaf[] = []
  collect(script, leaves)
  leaves.sort((one, other) => one.pos - other.pos)
  let at = start
  let open = 0
  let last: Leaf | undefined
  for (const leaf of [...leaves, { pos: end, end, hides: false, isWord: false }]) {
    // To bash, `a<(b)c` is one word.
    if (leaf.isWord && last?.isWord && leaf.pos === last.end) return false
    last = leaf
    const between = leaf.pos > at ? source.slice(at, leaf.pos) : ''
    if (leaf.hides || !BETWEEN.test(between)) return false
    if (/[(){}]/.test(between)) open += opened(between)
    at = Math.max(at, leaf.end)
  }
  return open <= 0
}

/**
 * The number of opening brackets minus closing ones. The closing bracket of a `case` pattern has no
 * opening one.
 */
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

/**
 * True if the parser did not parse the inside of a word, at any depth outside of other words, or
 * ended it too late or too early.
 */
function hides(node: SyntaxNode): boolean {
  if (node.type === 'Word') return isMisread(node)
  // Bash expands text after the `)` of an array.
  if (node.type === 'Assignment' && node.value.end !== node.end) return true
  let found = false
  forEachChild(node, (child) => {
    found ||= hides(child)
  })
  return found
}

/**
 * True for words that have no parts although they are not plain (`a[ ]$(b)`), and for braces that
 * may have been parsed as text.
 */
function isMisread({ parts, text }: Word): boolean {
  if (!parts && !PLAIN.test(text)) return true
  if (!text.includes('{')) return false
  const bare = parts?.map((part) => (part.type === 'Literal' ? part.text : 'x')).join('') ?? text
  return mayBeBraces(bare.replace(/\\[^]/g, 'x'))
}

/**
 * True if a text may contain braces. Bash searches beyond the closing brace that the parser finds:
 * `{x},y}` expands to `x}` and `y`.
 */
function mayBeBraces(text: string): boolean {
  const inside = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return inside.includes(',') || inside.includes('..')
}

interface Leaf {
  readonly pos: number
  readonly end: number
  /** True if the parser did not parse its inside. */
  readonly hides: boolean
  readonly isWord: boolean
}

function collect(node: SyntaxNode, leaves: Leaf[]): void {
  const { type, pos, end } = node
  if (LEAVES.has(type)) leaves.push({ pos, end, hides: hides(node), isWord: type === 'Word' })
  if (node.type === 'HereDoc') {
    const end = node.closing?.end ?? node.body.end
    leaves.push({ pos: node.body.pos, end, hides: false, isWord: false })
    return
  }
  if (node.type === 'ArithmeticFor') return forEachChild(node, (child) => collect(child, leaves))
  if (!LEAVES.has(node.type)) forEachChild(node, (child) => collect(child, leaves))
}
