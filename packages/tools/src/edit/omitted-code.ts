/**
 * A line of new text that stands for code which was left out, such as `// ... rest of the code ...`: written to a file, it
 * would destroy what it stands for. One that was in the old text already is the file's own.
 */
export function placeholderIn(text: string, before = ''): string | undefined {
  const old = new Set(before.split('\n').map((line) => line.trim()))
  return text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line.length <= 120 && isPlaceholder(line) && !old.has(line))
}

const LEADERS = ['//', '#', '/*', '<!--', '--', ';', '%', '{/*', '"""']

const DOTS = ['...', '…']

/** Words that such a line is about; and all others it may have. */
const LEFT_OUT = new Set(
  'rest unchanged existing remaining omitted previous same before'.split(' '),
)
const OTHERS = new Set(
  `of the code file is are as your my this that other here stays remains stay remain and in for function functions
  method methods class implementation content contents lines logic imports keep above below goes unmodified all`.split(
    /\s+/,
  ),
)

function isPlaceholder(line: string): boolean {
  const inComment = LEADERS.some((leader) => line.startsWith(leader))
  const inBrackets = /^[([{<]/.test(line) && /[)\]}>]$/.test(line)
  const begins = DOTS.some((dots) => line.startsWith(dots))
  if (!(inComment || inBrackets || begins) || !DOTS.some((dots) => line.includes(dots)))
    return false
  const words = line.toLowerCase().match(/[a-z]+/g) ?? []
  return (
    words.some((word) => LEFT_OUT.has(word)) &&
    words.every((word) => LEFT_OUT.has(word) || OTHERS.has(word))
  )
}
