import type { HereDoc, Redirection } from 'unbash'
import { isExpansion, piecesOf } from './pieces.ts'
import {
  cannot,
  LIVE_PATTERN,
  matching,
  printArgument,
  printExpansion,
  type Printing,
  printSingle,
  quote,
  textOf,
} from './print-word.ts'

/** Redirections, with their descriptors. */
export const printRedirects = (list: readonly Redirection[], printing: Printing): string[] =>
  list.map((each) =>
    printing.judged.has(each)
      ? printRedirect(each, printing)
      : cannot('has a redirection that was not judged'),
  )

const OPERATOR = /^(?:[<>]&?|>>|<>|>\||&>>?|<<<)$/

function printRedirect(node: Redirection, printing: Printing): string {
  const { descriptor } = node
  if (descriptor && !(descriptor.type === 'FileDescriptor' && /^\d$/.test(`${descriptor.value}`)))
    return cannot('has an unusual file descriptor')
  const from = descriptor?.value ?? (node.operator.startsWith('<') ? 0 : 1)
  if (node.type === 'HereDoc') return from + printHereDocument(node, printing)
  const { target } = node
  const operator = matching(node.operator, OPERATOR, 'an unusual redirection')
  if (!target) return cannot('has a redirection without a target')
  if (node.type === 'HereString') return `${from}<<<${printSingle(target, printing)}`
  const pieces = piecesOf(target, printing.home)
  if (pieces.some(({ type }) => type === 'pattern')) return cannot(LIVE_PATTERN)
  // If it expands to several words, bash reports an error.
  if (operator === '&>' || operator === '&>>')
    return `${operator} ${printArgument(target, printing)}`
  if (operator !== '>&' && operator !== '<&')
    return `${from}${operator} ${printArgument(target, printing)}`
  const text = textOf(target, printing)
  if (text !== undefined && /^(?:\d-?|-)$/.test(text)) return `${from}${operator}${text}`
  // Bash ends the redirection of `>&-x` after the `-`.
  if (operator === '<&' || descriptor || text === undefined || /^[-\d]/.test(text))
    return cannot('has an unusual file descriptor')
  return `&> ${printSingle(target, printing)}`
}

/** Prints a here-document as a here-string, which needs no delimiter and may be anywhere. */
function printHereDocument(node: HereDoc, printing: Printing): string {
  const { operator, delimiter, body, closing } = node
  if (!closing || !delimiter) return cannot('has a here-document without an end')
  if (body.text === '') return "< '/dev/null'"
  const isIndented = operator === '<<-' && /^\t/m.test(body.text)
  if (delimiter.quoted || !/[$`\\]/.test(body.text)) {
    const text = isIndented ? body.text.replace(/^\t+/gm, '') : body.text
    return `<<<${quote(withoutLastLineEnd(text))}`
  }
  if (isIndented) return cannot('has an indented here-document with expansions')
  const parts = body.parts ?? [{ type: 'Literal', value: unescaped(body.text) } as const]
  const printed = parts.map((part, at) => {
    if (part.type === 'Literal')
      return quote(at === parts.length - 1 ? withoutLastLineEnd(part.value) : part.value)
    if (!isExpansion(part)) return cannot('has an unusual here-document')
    return `"${printExpansion(part, printing)}"`
  })
  if (parts.at(-1)?.type !== 'Literal') return cannot('has an unusual here-document')
  return `<<<${printed.join('')}`
}

/** A here-string adds the last line end itself. */
const withoutLastLineEnd = (text: string): string =>
  text.endsWith('\n') ? text.slice(0, -1) : cannot('has an unusual here-document')

/**
 * The text of a here-document without expansions. A backslash has a meaning only before these
 * characters.
 */
const unescaped = (text: string): string =>
  text.replace(/\\([$`\\]|\n)/g, (_, character: string) => (character === '\n' ? '' : character))
