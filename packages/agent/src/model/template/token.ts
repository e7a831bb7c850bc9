/** A token as the parser of `@huggingface/jinja` reads it. */
export interface Token {
  type: TokenType
  value: string
}

export type TokenType =
  | 'Text'
  | 'NumericLiteral'
  | 'StringLiteral'
  | 'Identifier'
  | 'Equals'
  | 'OpenParen'
  | 'CloseParen'
  | 'OpenStatement'
  | 'CloseStatement'
  | 'OpenExpression'
  | 'CloseExpression'
  | 'OpenSquareBracket'
  | 'CloseSquareBracket'
  | 'OpenCurlyBracket'
  | 'CloseCurlyBracket'
  | 'Comma'
  | 'Dot'
  | 'Colon'
  | 'Pipe'
  | 'AdditiveBinaryOperator'
  | 'MultiplicativeBinaryOperator'
  | 'ExponentiationBinaryOperator'
  | 'ComparisonBinaryOperator'
