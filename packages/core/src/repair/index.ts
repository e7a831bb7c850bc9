import { badEscape } from './bad-escape.ts'
import { comment } from './comment.ts'
import { missingBracket } from './missing-bracket.ts'
import { missingComma } from './missing-comma.ts'
import { pythonWord } from './python-word.ts'
import { rawControl } from './raw-control.ts'
import type { Repair } from './repair.ts'
import { singleQuotes } from './single-quotes.ts'
import { trailingComma } from './trailing-comma.ts'
import { unescapedQuote } from './unescaped-quote.ts'
import { unquotedKey } from './unquoted-key.ts'
import { unquotedString } from './unquoted-string.ts'

/** Every repair of JSON. */
export const repairs: readonly Repair[] = [
  badEscape,
  comment,
  missingBracket,
  missingComma,
  pythonWord,
  rawControl,
  singleQuotes,
  trailingComma,
  unescapedQuote,
  unquotedKey,
  unquotedString,
]
