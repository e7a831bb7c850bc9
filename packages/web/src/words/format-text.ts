import { compileMessage } from '@lingui/message-utils/compileMessage'

/** The values in a text: {name}, and {count, plural, one {# call} other {# calls}}. */
export type Values = Readonly<Record<string, string | number>>

/** A text in pieces: what is written, values `[name]`, and plurals `[name, 'plural', forms]`. `#` is the number of a plural. */
type Pieces = string | readonly Piece[]
type Piece = string | readonly [name: string, type?: string, forms?: Forms]
type Forms = Readonly<Record<string, Pieces>>

/** How a language writes the numbers in its texts. */
export interface Writing {
  readonly number: (value: number) => string
  readonly pluralOf: (value: number) => string
}

/** A text that is taken apart once, however often it is used. Texts are written exactly as they are, numbers as the language writes them. */
export function formatterOf(
  text: string,
  { number, pluralOf }: Writing,
): (values?: Values) => string {
  const whole = compileMessage(text) as Pieces
  const write = (pieces: Pieces, values: Values, count?: string): string =>
    typeof pieces === 'string'
      ? pieces
      : pieces.map((piece) => writePiece(piece, values, count)).join('')
  const writePiece = (piece: Piece, values: Values, count: string | undefined): string => {
    if (piece === '#' && count !== undefined) return count
    if (typeof piece === 'string') return piece
    const [name, type, forms = {}] = piece
    const value = values[name] ?? ''
    if (type === undefined) return typeof value === 'number' ? number(value) : value
    if (type !== 'plural') throw new TypeError(`Expected a plural in a text, got ${type}.`)
    const form = forms[String(value)] ?? forms[pluralOf(Number(value))] ?? forms['other'] ?? ''
    return write(form, values, number(Number(value)))
  }
  return (values = {}) => write(whole, values)
}
