import type { SyntaxNode, Word } from 'unbash'
import { forEachChild } from 'unbash'

/** Texts that may occur between the words of a script: whitespace, operators, keywords, comments. */
const BETWEEN =
  /^(?:[\s;&|(){}!]|\\\n|#[^\n]*(?:\n|$)|\[\[|\]\]|(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|time|coproc|-p|--)(?![\w-]))*$/

/** A text in which nothing is expanded: no quotes, no metacharacters, and only a `$` that stands for itself. */
const PLAIN = /^(?:[^\s$`'"\\<>()|&;]|\\[^]|\$(?![\w{(['"@*#?$!-]))*$/

/** Whether every character of a script belongs to a parsed node, so that nothing is hidden between them or in one. */
export function covers(script: SyntaxNode, source: string, start: number, end: number): boolean {
  const leaves: Leaf[] = []
  collect(script, leaves)
  leaves.sort((one, other) => one.pos - other.pos)
  let at = start
  let open = 0
  let last: Leaf | undefined
  for (const leaf of [...leaves, { pos: end, end, hides: false, isWord: false }]) {
    // For bash, `a<(b)c` is one word.
    if (leaf.isWord && last?.isWord && leaf.pos === last.end) return false
    last = leaf
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

/** Whether the parser did not look into a word at any depth outside of other words, or ended it too late or too early. */
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

/** Some words have no parts although they are not plain (`a[ ]$(b)`), and some braces are taken for text. */
function isMisread({ parts, text }: Word): boolean {
  if (!parts && !PLAIN.test(text)) return true
  if (!text.includes('{')) return false
  const bare = parts?.map((part) => (part.type === 'Literal' ? part.text : 'x')).join('') ?? text
  return mayBeBraces(bare.replace(/\\[^]/g, 'x'))
}

/** Bash looks for the end of braces further than the parser does: `{x},y}` stands for `x}` and `y`. */
function mayBeBraces(text: string): boolean {
  const inside = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return inside.includes(',') || inside.includes('..')
}

interface Leaf {
  readonly pos: number
  readonly end: number
  /** The parser did not look into it. */
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
