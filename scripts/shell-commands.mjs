/**
 * @typedef {object} ShellCommand
 * @property {string} name of the program
 * @property {string[]} words its arguments, without quotes
 */

/**
 * The simple commands in a shell text of a document, including those in `$(…)`, without
 * redirections and variable assignments.
 *
 * @param {string} text
 * @returns {ShellCommand[]}
 */
export function commandsIn(text) {
  /** @type {string[][]} */
  const found = [[]]
  const inner = [...text.matchAll(/\$\(([^()]*)\)/g)].flatMap(([, each = '']) => commandsIn(each))
  const token =
    /\\\n|#[^\n]*|<<'?(\w+)'?[^]*?\n\1(?=\n|$)|\n|&&|\|\||[|;]|\d?>>?&?\s*\S+|<\s*\S+|(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s|;&<>"'\\])+|\s+|./g
  for (const [each] of text.matchAll(token)) {
    if (/^(?:\n|&&|\|\||[|;&])$/.test(each)) found.push([])
    else if (!/^(?:\s|\\\n|#|\d?[<>])/.test(each)) found.at(-1)?.push(withoutQuotes(each))
  }
  const commands = found.flatMap((words) => {
    const from = words.findIndex((word) => !/^\w+=/.test(word))
    const [name, ...rest] = from < 0 ? [] : words.slice(from)
    return name === undefined ? [] : [{ name, words: rest }]
  })
  return [...commands, ...inner]
}

/** @param {string} word */
function withoutQuotes(word) {
  return word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_, ...parts) => {
    return parts.slice(0, 3).find((part) => part !== undefined) ?? ''
  })
}
