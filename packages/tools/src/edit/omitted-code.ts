import { ToolError } from '@toolglot/agent'

/**
 * Throws if a line is a placeholder for omitted code, such as `// ... rest of the code ...`:
 * writing it would delete that code. Lines that were already in the old text are allowed.
 */
export function refuseOmittedCode(text: string, before = ''): void {
  const old = new Set(before.split('\n').map((line) => line.trim()))
  const line = text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line.length <= 120 && isPlaceholder(line) && !old.has(line))
  if (line === undefined) return
  const message = `${JSON.stringify(line)} is a placeholder for omitted code and would be written literally. Write the code in full, or use Edit to change only a part.`
  throw new ToolError('invalid_input', message, { code: 'placeholder', line })
}

const COMMENT_STARTS = ['//', '#', '/*', '<!--', '--', ';', '%', '{/*', '"""']

const DOTS = ['...', '…']

/** Words that indicate omitted code, and the only other words in such a line. */
const OMISSION_WORDS = new Set(
  'rest unchanged existing remaining omitted previous same before'.split(' '),
)
const OTHER_WORDS = new Set(
  `of the code file is are as your my this that other here stays remains stay remain and in for function functions
  method methods class implementation content contents lines logic imports keep above below goes unmodified all`.split(
    /\s+/,
  ),
)

function isPlaceholder(line: string): boolean {
  const inComment = COMMENT_STARTS.some((start) => line.startsWith(start))
  const inBrackets = /^[([{<]/.test(line) && /[)\]}>]$/.test(line)
  const startsWithDots = DOTS.some((dots) => line.startsWith(dots))
  if (!(inComment || inBrackets || startsWithDots) || !DOTS.some((dots) => line.includes(dots)))
    return false
  const words = line.toLowerCase().match(/[a-z]+/g) ?? []
  return (
    words.some((word) => OMISSION_WORDS.has(word)) &&
    words.every((word) => OMISSION_WORDS.has(word) || OTHER_WORDS.has(word))
  )
}
