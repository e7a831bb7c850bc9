// Reads the traces that bash writes with `set -x`. Each byte is represented as a character, because
// words need not be UTF-8.

/** A trace of this length was cut off by `ulimit -f 8`. */
const FULL = 8 * 1024

/**
 * The lists of words that bash was about to run, without the two commands that replace programs.
 */
export function readTrace(text, { mark, output }) {
  const entries = text.split(new RegExp(`(?:^|\\n)\\x01+${mark}`)).slice(1)
  if (text.length >= FULL) entries.pop()
  // The first entry is the command that runs the text.
  return entries.slice(1).flatMap((entry) => {
    const line = entry.replace(/\n$/, '')
    if (isHeader(line)) return []
    const words = wordsOf(line)
    if (words.length === 1 && ASSIGNMENT.test(line)) return []
    if (words.length === 3 && words[0] === 'printf' && words[2] === output) return []
    return [words]
  })
}

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^]*?\])?\+?=/

/**
 * True if a line is part of a compound command, or an assignment to an array. Bash writes their
 * words without quotes, and quotes the brackets of a simple command's words.
 */
const isHeader = (line) =>
  /^(?:\[\[|\(\() /.test(line) ||
  /^(?:for|select) [A-Za-z_]\w* in(?: |$)/.test(line) ||
  /^case [^]* in$/.test(line) ||
  /^[A-Za-z_]\w*(?:\[[^]*?\])?\+?=\(/.test(line)

/** The words of a line: plain text, `'…'`, `$'…'` and `\'`, with one space between words. */
function wordsOf(line) {
  const words = []
  let word = ''
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ' ') {
      words.push(word)
      word = ''
    } else if (line.startsWith("$'", at)) {
      const [all, quoted] = /^\$'((?:[^'\\]|\\[^])*)'/.exec(line.slice(at)) ?? [line.slice(at), '']
      word += unescaped(quoted)
      at += all.length - 1
    } else if (line[at] === "'") {
      const end = line.indexOf("'", at + 1)
      word += line.slice(at + 1, end)
      at = end < 0 ? line.length : end
    } else if (line[at] === '\\') word += line[++at] ?? ''
    else word += line[at]
  }
  return [...words, word]
}

const ESCAPES = { a: '\x07', b: '\b', E: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const unescaped = (text) =>
  text.replace(/\\([0-7]{1,3}|[^])/g, (_, code) =>
    /^[0-7]/.test(code) ? String.fromCharCode(parseInt(code, 8)) : (ESCAPES[code] ?? code),
  )
